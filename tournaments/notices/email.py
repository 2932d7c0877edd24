"""Notices by e-mail, and the links that confirm an address or unsubscribe."""

from collections.abc import Mapping
from smtplib import SMTPException
from types import MappingProxyType

from django.conf import settings
from django.core import signing
from django.core.mail import EmailMessage
from django.urls import reverse

from engine.sentences import Sentence
from tournaments.accounts.invitations import DAYS, token_for, waits
from tournaments.config.plain_text import clean, one_line
from tournaments.models import Notice, User
from tournaments.notices.create import may_be_mailed
from tournaments.notices.outcome import DeliveryOutcome

AUTOMATIC = {"Auto-Submitted": "auto-generated"}  # RFC 3834: so that no absence note answers
CONFIRM, UNSUBSCRIBE = "confirm an address", "no more mail"  # the purpose of a signature
CONFIRM_DAYS = 3


def mail(notice: Notice) -> DeliveryOutcome:
    user = notice.user
    if notice.kind == Notice.Kind.SPACE and notice.detail.get("invited"):
        return invite(user, notice.text)
    if not may_be_mailed(user):
        return DeliveryOutcome(Sentence("the address is not theirs any more"), final=True)
    away = _address("unsubscribe", signing.dumps([user.pk, notice.kind], salt=UNSUBSCRIBE))
    text = f"{notice.text}\n\n{settings.SITE_URL}{notice.path}\n\nNo more mail of this kind: {away}\n"
    headers = {"List-Unsubscribe": f"<{away}>", "List-Unsubscribe-Post": "List-Unsubscribe=One-Click"}  # RFC 8058
    return send(letter(notice.text[:120], text, user.email, headers))


def invite(user: User, text: str) -> DeliveryOutcome:
    """To the address for which the account was made. Nobody has confirmed it, so it gets this one letter."""
    if not user.email or not waits(user):
        return DeliveryOutcome(Sentence("its owner has come in meanwhile"), final=True)
    link = _address("invited", token_for(user, mailed=True))
    named = f"Its name is {user}. Choose a password for it here, within {DAYS} days:"
    body = f"{text}\n\n{named}\n\n{link}\n\nIf you do not know what this is about, do nothing.\n"
    return send(letter(text[:120], body, user.email))


def ask_to_confirm(user: User) -> DeliveryOutcome:
    """Mail to the address, with a link that proves that its reader has this account."""
    link = _address("confirm-email", signing.dumps([user.pk, user.email], salt=CONFIRM))
    request = f"{user} at {settings.SITE_URL} wants notices at this address. If that is you:"
    text = f"{request}\n\n{link}\n\nIf it is not, do nothing.\n"
    return send(letter("Confirm your address", text, user.email))


def confirmed(token: str) -> User | None:
    """The user whose address the link confirms, if it is still their address."""
    try:
        number, email = signing.loads(token, salt=CONFIRM, max_age=CONFIRM_DAYS * 86_400)
    except signing.BadSignature:
        return None
    return User.objects.filter(pk=number, email=email).first()


def unsubscribing(token: str) -> tuple[User, str] | None:
    """Who unsubscribes from which kind of mail."""
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
    return EmailMessage(one_line(subject), clean(text), to=[to], headers={**AUTOMATIC, **headers})


def send(message: EmailMessage) -> DeliveryOutcome:
    try:
        message.send()
    except (SMTPException, OSError) as error:
        return DeliveryOutcome(f"the mail server: {error}")
    return DeliveryOutcome("sent", arrived=True)
