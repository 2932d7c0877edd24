"""Single sign-on: a provider's statement about a person is checked here, and signs in to one of our accounts.

Providers speak OpenID Connect, SAML or LTI; an account has any number of identities. A course of a learning platform
is linked to a space, which its people join by opening it.
"""

from tournaments.core.config.routes import routes_of
from tournaments.core.feature import Feature
from tournaments.web.pages.methods import begun_elsewhere, form, seen, sent_from_elsewhere

page = routes_of("tournaments.features.sign_on")

SIGN_ON = Feature(
    name="sign_on",
    pages=(
        page("sign-on/course/", "lti_launch.course", form, name="sign-on-course"),
        page("sign-on/name/", "pages.ChooseName", form, name="sign-on-name"),
        page("sign-on/<slug:key>/", "pages.begin_sign_on", seen, name="sign-on"),
        page("sign-on/<slug:key>/answer/", "pages.answer_of_provider", seen, name="sign-on-answer"),
        page(
            "sign-on/<slug:key>/assertion/",
            "provider_callbacks.assertion",
            sent_from_elsewhere,
            name="sign-on-assertion",
        ),
        page("sign-on/<slug:key>/launch/", "provider_callbacks.receive_launch", begun_elsewhere, name="sign-on-launch"),
        page("sign-on/<slug:key>/keys/", "provider_callbacks.public_key", seen, name="sign-on-keys"),
        page("sign-on/<slug:key>/metadata/", "provider_callbacks.metadata_page", seen, name="sign-on-metadata"),
        page("account/link/", "identity_pages.link_kept", form, name="identity-link-kept"),
        page("account/link/<slug:key>/", "identity_pages.link_identity", form, name="identity-link"),
        page("account/unlink/<int:number>/", "identity_pages.unlink_identity", form, name="identity-unlink"),
    ),
)
