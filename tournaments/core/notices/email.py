"""All letters that the site sends, and the links that confirm an address or unsubscribe.

Nobody's words stand in a subject, and no address or link that somebody wrote can be opened from a letter.
"""

import logging
from collections.abc import Mapping
from smtplib import SMTPException
from types import MappingProxyType

from django.conf import settings
from django.core import signing
from django.core.mail import EmailMessage
from django.urls import reverse

from engine.sentences import Sentence
from tournaments.core.accounts.invitations import DAYS, invitation_token, waits
from tournaments.core.config.plain_text import clean_text, without_links
from tournaments.core.notices import letters
from tournaments.core.notices.create import may_be_mailed
from tournaments.core.notices.outcome import DeliveryOutcome
from tournaments.models import Notice, User

log = logging.getLogger(__name__)
AUTOMATIC = {"Auto-Submitted": "auto-generated"}  # RFC 3834: so that no absence note answers
CONFIRM, UNSUBSCRIBE = "confirm an address", "no more mail"  # the purpose of a signature
CONFIRM_DAYS = 3
Kind = Notice.Kind
SUBJECTS: Mapping[str, str] = {
    Kind.FAULT: "A bot of yours was at fault",
    Kind.CHECK: "A version of yours was checked",
    Kind.TRIAL: "A trial of one of your versions is over",
    Kind.SET: "A set that you asked for is over",
    Kind.RANK: "The rank of a bot of yours",
    Kind.EVENT: "News of an event",
    Kind.ACT: "An act of the organisers concerns you",
    Kind.TEAM: "A team asks you to join",
    Kind.SPACE: "News of a space",
    Kind.GAME: "News of a game with other people",
    Kind.ACCOUNT: "Somebody may be using your account",
    Kind.FOLLOW: "News of what you follow",
    Kind.WEEK: "Your bots this week",
    Kind.TEST: "A test",
}


def mail_notice(notice: Notice) -> DeliveryOutcome:
    user = notice.user
    if notice.kind == Notice.Kind.SPACE and notice.detail.get("invited"):
        return mail_invitation(user, notice.text)
    if not may_be_mailed(user):
        return DeliveryOutcome(Sentence("the address is no longer theirs"), final=True)
    away = _address("unsubscribe", signing.dumps([user.pk, notice.kind], salt=UNSUBSCRIBE))
    words = notice.detail if notice.kind == Kind.WEEK else {}  # in the reader's language
    body, farewell = words.get("body", notice.text), words.get("farewell", "No more e-mail of this kind:")
    text = f"{without_links(body)}\n\n{settings.SITE_URL}{notice.path}\n\n{farewell} {away}\n"
    headers = {"List-Unsubscribe": f"<{away}>", "List-Unsubscribe-Post": "List-Unsubscribe=One-Click"}  # RFC 8058
    return send_message(letter(words.get("subject", SUBJECTS[notice.kind]), text, user.email, headers))


def mail_invitation(user: User, text: str) -> DeliveryOutcome:
    """Write to the address for which the account was made. Nobody has confirmed it, so it gets this one letter, which
    was counted when the roster was brought in (`tournaments.features.spaces.roster`)."""
    if not user.email or not waits(user):
        return DeliveryOutcome(Sentence("its owner has joined meanwhile"), final=True)
    link = _address("invited", invitation_token(user, mailed=True))
    named = f"Its name is {without_links(user.username)}. Choose a password for it here, within {DAYS} days:"
    body = f"{without_links(text)}\n\n{named}\n\n{link}\n\nIf you do not know what this is about, do nothing.\n"
    return send_message(letter("An account was made for you", body, user.email))


def ask_to_confirm(user: User) -> DeliveryOutcome:
    """Mail to the address, with a link that proves that its reader has this account. Raises Refused(over_budget)."""
    if not letters.count_letters([user], user):
        raise letters.TO_AN_ADDRESS.refusal()
    link = _address("confirm-email", signing.dumps([user.pk, user.email], salt=CONFIRM))
    request = f"{without_links(user.username)} at {settings.SITE_URL} wants notices at this address. If that is you:"
    text = f"{request}\n\n{link}\n\nIf it is not, do nothing.\n"
    return send_message(letter("Confirm your address", text, user.email))


def mail_new_password(user: User, subject: str, text: str) -> None:
    """Mail the link for a new password, unless too many went to the address today."""
    if not letters.count_password_letter(user):
        return
    outcome = send_message(letter(subject, text, user.email))
    if not outcome.arrived:
        log.error("The link for a new password of account %s was not sent: %s", user.pk, outcome.shown)


def confirmed(token: str) -> User | None:
    """The user whose address the link confirms, if it is still their address."""
    try:
        number, email = signing.loads(token, salt=CONFIRM, max_age=CONFIRM_DAYS * 86_400)
    except signing.BadSignature:
        return None
    return User.objects.filter(pk=number, email=email).first()


def unsubscribing(token: str) -> tuple[User, str] | None:
    """Return who unsubscribes from which kind of mail."""
    try:
        number, kind = signing.loads(token, salt=UNSUBSCRIBE)
    except signing.BadSignature:
        return None
    user = User.objects.filter(pk=number).first()
    return (user, kind) if user else None


def _address(name: str, token: str) -> str:
    return f"{settings.SITE_URL}{reverse(name, args=[token])}"


def letter(subject: str, text: str, to: str, headers: Mapping[str, str] = MappingProxyType({})) -> EmailMessage:
    """Return a mail as all of ours are made, well-formed whatever is stored."""
    return EmailMessage(subject, clean_text(text), to=[to], headers={**AUTOMATIC, **headers})


def send_message(message: EmailMessage) -> DeliveryOutcome:
    try:
        message.send()
    except (SMTPException, OSError) as error:
        return DeliveryOutcome(f"the mail server: {error}")
    return DeliveryOutcome("sent", arrived=True)
