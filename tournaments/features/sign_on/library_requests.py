"""allauth's requests, sent in the same way as ours."""

from allauth.socialaccount.adapter import DefaultSocialAccountAdapter

from tournaments.features.sign_on.fetching import Session


class Adapter(DefaultSocialAccountAdapter):  # type: ignore[misc]  # it has no types
    def get_requests_session(self) -> Session:
        return Session()
