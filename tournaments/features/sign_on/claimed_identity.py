"""What a provider asserts about a person."""

import re
from dataclasses import dataclass

from tournaments.core.config.plain_text import clean_text
from tournaments.core.config.sign_on import Provider
from tournaments.core.errors import Refused

ADDRESS = re.compile(r"""[^\s@,;:<>()\[\]\\"]{1,64}@[^\s@,;:<>()\[\]\\"]+""")  # one, and nothing around it
LONGEST_SUBJECT, LONGEST_CALLED = 255, 150  # columns of `Identity`


@dataclass(frozen=True, slots=True)
class Known:
    """Somebody whom `provider` knows as `subject`. The rest are wishes: no account is found by them."""

    provider: str
    subject: str
    name: str = ""  # what they might want to be called here
    email: str = ""  # only if the provider says that it is theirs

    @property
    def called(self) -> str:
        return (self.email or self.name)[:LONGEST_CALLED]


def known_by(provider: Provider, subject: object, name: object, email: object) -> Known:
    """Raises Refused: bad_identity, domain_not_allowed."""
    if not isinstance(subject, str) or not 0 < len(subject) <= LONGEST_SUBJECT or "\0" in subject:
        raise Refused("bad_identity", "%(title)s does not say who this is", title=provider.title)
    known = Known(provider.key, subject, clean_text(claimed_subject(name)), plain_address(email))
    if provider.domains and known.email.rpartition("@")[2].lower() not in map(str.lower, provider.domains):
        wanted = " or ".join(provider.domains)
        raise Refused(
            "domain_not_allowed",
            "you need an e-mail address of %(wanted)s that %(title)s confirms",
            wanted=wanted,
            title=provider.title,
        )
    return known


def plain_address(value: object) -> str:
    """Return the address; nothing for what is not exactly one, or not clean: cleaned, it would be somebody else's."""
    text = claimed_subject(value)
    return text if clean_text(text) == text and ADDRESS.fullmatch(text) else ""


def claimed_subject(value: object) -> str:
    return value if isinstance(value, str) and len(value) <= LONGEST_SUBJECT else ""
