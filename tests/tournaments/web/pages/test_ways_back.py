"""Every form of the site, refused in every way: what was typed stands again, to the byte.

Forms are found by opening the pages, routes by the resolver: a new form that is not in these tables fails here.
"""

import time
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import timedelta

import pytest
from django.conf import settings
from django.contrib.auth.tokens import default_token_generator
from django.core import mail, signing
from django.db import transaction
from django.http import HttpResponse
from django.test import Client
from django.urls import resolve
from django.utils import timezone
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode

from tests.again import again
from tests.factories import a_user
from tests.holding import an_event
from tests.practising import a_practice, everything_by_the_book
from tests.tournaments.core.accounts.test_second_factor import with_factor
from tests.tournaments.web.pages.conftest import World, a_world, signed_in
from tests.tournaments.web.pages.filled import Field, Form, forms_of
from tests.tournaments.web.pages.furnished import things
from tests.tournaments.web.pages.test_permissions import NEVER, TABLE
from tournaments.core.accounts.invitations import invitation_token
from tournaments.core.notices.email import UNSUBSCRIBE, ask_to_confirm
from tournaments.features.second_factor.passkey_pages import ADDS
from tournaments.ledger.acts.base import actions
from tournaments.models import EventInvitation, Notice, Practice, Space, User
from tournaments.web.pages.desk.acts import PAGES
from tournaments.web.pages.form_recovery import SECRET, unsealed_form

pytestmark = pytest.mark.django_db
LINE = "  a\t\"<b>' &amp; é ﬀ \U0001f3b2 \\n %00 {{ x }}  "
TEXT = f"\n\n\t{LINE}\n<é>&lt;/textarea></textarea>\n  last  \n\n"
LONG = LINE * 60
ORIGIN = {"Origin": "http://testserver"}

# By route: what makes a form that is filled with the above be refused, if that does not do it alone.
WRONG: Mapping[str, Mapping[str, str]] = {
    "account": {"email": "no address", "password": "wrong"},
    "account-about": {"about": LONG},
    "account-erase": {"name": "somebody else"},
    "bot-about": {"about": LONG},
    "bot-face": {"motto": LONG},
    "bot-friendly": {"against": LINE},
    "bot-gate": {"gate": "no such gate"},
    "bot-team": {"team": "999"},
    "bot-upload": {"note": LONG},
    "desk-act": {"reason": LONG, "event": "0"},
    "desk-edit-event": {"expected": "1"},
    "desk-new-event": {"expected": "1"},
    "desk-new-ladder": {"strikes": "0"},
    "desk-new-worker": {"name": "a b", "reason": LONG},
    "draft": {"do": "submit"},
    "event-register": {"bot": "0"},
    "fork": {"seat-0": "nobody"},
    "ladder-enter": {"bot": "0"},
    "lost-password": {"email": "no address"},
    "notices": {"kinds": "nonsense"},
    "passkey-add": {"name": LONG},
    "password": {},
    "play-begin": {"opponent-1": "nobody"},
    "practice": {"turn": "99999"},
    "practice-table": {"player": "nobody"},
    "reset-password": {},
    "report": {"text": LONG},
    "appeal": {"text": LONG},
    "sign-in": {},
    "sign-on-name": {},
    "sign-up": {},
    "space-addresses": {},
    "space-code": {},
    "space-new": {},
    "space-roster": {},
    "space-settings": {"title": LONG},
    "team-about": {"about": LONG},
    "team-action": {},
    "teams": {},
    "tokens": {"name": LONG},
    "upload": {},
    "webhooks": {},
    "event-webhooks": {},
    "space-webhooks": {},
}


@dataclass(frozen=True)
class SeenForm:
    """A form, who finds it, and where."""

    form: Form
    client: Client
    page: str

    def __str__(self) -> str:
        return f"{self.route} {self.page}"

    @property
    def route(self) -> str:
        return str(resolve(self.form.action.partition("?")[0]).url_name)

    @property
    def asks(self) -> list[Field]:
        """The fields that somebody fills and that may come back: no secrets, no files."""
        return [field for field in self.form.typed if field.kind != "file" and not SECRET.fullmatch(field.name)]


@pytest.fixture
def forms(db: None, settings: pytest.FixtureRequest) -> list[SeenForm]:
    settings.CAN_MAIL = True  # type: ignore[attr-defined]
    settings.SITE_URL = "http://localhost:8000"  # type: ignore[attr-defined]  # which takes passkeys
    return again(all_found)


def all_found() -> list[SeenForm]:
    return list(every_form(a_world()))


def every_form(world: World) -> Iterator[SeenForm]:
    named = things(world)
    people = {"owner": world.owner, "staff": world.staff, "nobody": None}
    clients = {name: signed_in(user) for name, user in people.items()}
    for row in TABLE:
        askers = [
            name for name, status in zip(("owner", "other", "nobody", "staff"), row.seen, strict=True) if status == 200
        ]
        asker = next((name for name in ("owner", "staff", "nobody") if name in askers), None)
        if asker:
            yield from on_page(clients[asker], row.path.format(**named))
    for client, path in more_pages(world, clients, named):
        yield from on_page(client, path)


def on_page(client: Client, path: str) -> list[SeenForm]:
    answer = client.get(path, follow=True)
    if not answer.headers.get("Content-Type", "").startswith("text/html"):
        return []
    address = answer.request["PATH_INFO"] + (f"?{query}" if (query := answer.request["QUERY_STRING"]) else "")
    return [SeenForm(form, client, address) for form in forms_of(answer.content.decode(), address)]


def more_pages(world: World, clients: dict[str, Client], named: dict[str, object]) -> Iterator[tuple[Client, str]]:
    """States of pages in which there are other forms, and each act of the desk."""
    yield signed_in(world.other), f"/teams/{named['team']}/"  # who is invited
    yield signed_in(world.other), f"/play/join/{named['invitation']}/"
    yield from ((clients["staff"], f"/desk/acts/{kind}/") for kind in actions() if kind not in PAGES)
    over = everything_by_the_book(a_practice(world.owner, world.ladder)).pk
    failed = a_practice(world.owner, world.ladder).pk
    Practice.objects.filter(pk=failed).update(status=Practice.Status.FAILED)
    shared = Practice.objects.get(pk=over)
    shared.pk, shared.share_key = None, "given-away"
    shared.save()
    yield from ((clients["owner"], f"/play/{number}/") for number in (over, failed, shared.pk))
    world.owner.email, world.owner.mailed = "olga@example.org", ["fault"]
    world.owner.save()
    Notice.objects.create(user=world.owner, kind="fault", key="x", text="A fault.", path="/")
    yield clients["owner"], "/notices/"
    soon = timezone.now() + timedelta(minutes=30)
    calling = an_event([world.bot], check_in_minutes=60, starts_at=soon)
    EventInvitation.objects.create(event=calling, user=world.owner)
    yield clients["owner"], f"/events/{calling.slug}/"
    ask_to_confirm(world.owner)
    yield (
        clients["nobody"],
        next(word for word in mail.outbox[-1].body.split() if "/confirm/" in word).removeprefix(settings.SITE_URL),
    )
    yield clients["nobody"], f"/notices/stop/{signing.dumps([world.owner.pk, 'fault'], salt=UNSUBSCRIBE)}/"
    yield (
        Client(),
        f"/lost-password/{urlsafe_base64_encode(force_bytes(world.owner.pk))}/{default_token_generator.make_token(world.owner)}/",
    )
    newcomer = User.objects.create(username="nora", password="!unusable", home=Space.objects.get(slug="bio1"))
    yield Client(), f"/invited/{invitation_token(newcomer, mailed=False)}/"
    yield signed_in(newcomer), "/account/"
    careful, half = a_user("clara"), Client()
    with_factor(careful)
    half.post("/sign-in/", {"username": "clara", "password": "the password of clara"})
    yield half, "/sign-in/code/"
    proven = signed_in(world.other)
    session = proven.session
    session[ADDS] = time.time() + 600
    session.save()
    yield proven, "/account/second-factor/passkey/"
    new = Client()
    session = new.session
    session["new_identity"] = {"known": ["uni", "0017", "nina", ""], "next": "", "until": time.time() + 600}
    session.save()
    yield new, "/sign-on/name/"
    old = signed_in(world.other)
    kept = old.session
    kept["new_identity"] = session["new_identity"]
    kept.save()
    yield old, "/account/link/"


# --- what is sent, and what stands again ---------------------------------------------------------------------------

Sent = dict[str, list[str]]


def typed_into(form: Form) -> Sent:
    """Fill each field with what is hardest to give back, take another choice, and send it as a browser does."""
    radios = {field.name: field for field in form.typed if field.kind == "radio"}  # the last of each group
    for field in form.typed:
        if field.kind == "checkbox":
            field.on = not field.on
        elif field.kind == "radio":
            field.on = field is radios[field.name]
        elif field.kind == "select":
            field.value = field.options[-1]
        elif field.kind != "file":
            field.value = {"textarea": TEXT, "number": "-7", "email": "no address", "password": "hush"}.get(
                field.kind, LINE
            )
    return by_name(form)


def by_name(form: Form) -> Sent:
    fields: Sent = defaultdict(list)
    for name, value in form.sent():
        fields[name].append(value)
    return dict(fields)


def wrong(seen: SeenForm) -> Sent:
    sent = typed_into(seen.form)
    names = {field.name for field in seen.form.fields} | {"do"}
    return sent | {name: [value] for name, value in WRONG[seen.route].items() if name in names}


def comes_back(seen: SeenForm, sent: Sent, answer: HttpResponse) -> list[str]:
    """Fields that do not, by the form of the page that has the most of them."""
    page = answer.content.decode()
    forms = [
        form
        for form in forms_of(page, seen.page)
        if form.action.partition("?")[0] == seen.form.action.partition("?")[0]
    ]
    if not forms:
        return [f"no form on the page of {answer.status_code}"]
    return min((missing(seen, sent, by_name(form)) for form in forms), key=len)


def missing(seen: SeenForm, sent: Sent, back: Sent) -> list[str]:
    names = {field.name for field in seen.asks}
    boxes = {field.name: field.value for field in seen.asks if field.kind in ("checkbox", "radio")}
    offered = {name: [f.value for f in seen.asks if f.name == name] for name in boxes}
    due = {name: [v for v in sent.get(name, []) if name not in boxes or v in offered[name]] for name in names}
    return [f"{name}: {due[name]} {back.get(name, [])}" for name in sorted(names) if due[name] != back.get(name, [])]


def send(client: Client, seen: SeenForm, sent: Mapping[str, object], **more: object) -> HttpResponse:
    client.raise_request_exception = False
    before = transaction.savepoint()
    answer: HttpResponse = client.post(seen.form.action, sent, **more)  # type: ignore[arg-type,assignment]
    transaction.savepoint_rollback(before)  # each meets the world as it was
    return answer


def test_every_form_of_the_site_is_known_and_what_is_refused_stands_again_to_the_byte(forms: list[SeenForm]) -> None:
    posted = {row.name for row in TABLE if row.sent != NEVER}
    assert posted - {seen.route for seen in forms} == FROM_PROVIDERS | AT_TURNING_POINTS
    assert {seen.route for seen in forms if seen.asks} == set(WRONG)
    faults = []
    for seen in (seen for seen in forms if seen.asks):
        sent = wrong(seen)
        answer = send(seen.client, seen, sent)
        faults += [f"{seen.page} {fault}" for fault in comes_back(seen, sent, answer)]
        if any(field.kind == "file" for field in seen.form.typed):
            assert "Choose the file again" in answer.content.decode()
    assert not faults, "\n".join(faults)


def test_whoever_is_signed_out_meanwhile_or_comes_too_late_finds_it_all(forms: list[SeenForm]) -> None:
    faults = []
    for seen in (seen for seen in forms if seen.asks and seen.route not in OPEN):
        sent = typed_into(seen.form)
        kept = next(
            f.value for f in forms_of(send(Client(), seen, sent).content.decode())[0].fields if f.name == "kept"
        )
        typed = unsealed_form(kept)
        sent_fields = [(name, value) for name, value in seen.form.sent() if not SECRET.fullmatch(name)]
        assert typed is not None
        assert sorted(map(tuple, typed.fields)) == sorted(pair for pair in sent_fields if pair[0] not in AROUND)
        late = Client(enforce_csrf_checks=True)
        late.cookies = seen.client.cookies
        del sent["csrfmiddlewaretoken"]
        faults += [f"{seen.page} {fault}" for fault in comes_back(seen, sent, send(late, seen, sent, headers=ORIGIN))]
    assert not faults, "\n".join(faults)


# Their pages send them, or are where the form comes from: one choice, which test_lti.py of the feature sign_on makes.
# A script sends the last.
FROM_PROVIDERS = {"sign-on-assertion", "sign-on-launch", "sign-on-course", "gradebook-send", "passkey-challenge"}
AT_TURNING_POINTS = {"match-suggestions", "practice-suggestions"}  # a button each, and nothing to type
OPEN = {"sign-in", "sign-up", "sign-on-name", "lost-password", "reset-password"}  # to whoever is signed out
AROUND = {"csrfmiddlewaretoken", "next"}


def test_a_nul_in_a_field_breaks_nothing(forms: list[SeenForm]) -> None:
    for seen in (seen for seen in forms if seen.asks):
        sent = wrong(seen)
        for field in seen.asks:
            sent[field.name] = ["a\0b"]
        answer = send(seen.client, seen, sent)
        assert (seen.page, answer.status_code) in [(seen.page, status) for status in (200, 302, 403, 404, 422)]


def test_an_error_of_ours_loses_nothing_either(forms: list[SeenForm], monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object, **__: object) -> None:
        raise RuntimeError

    monkeypatch.setattr("tournaments.web.pages.factor_forms.check_factor_code", lambda **_: None)  # any code is right
    for broken, route, sound in BROKEN:
        monkeypatch.setattr(f"tournaments.{broken}", fails)
        seen = next(seen for seen in forms if seen.route == route)
        sent = by_name(seen.form) | {name: [value] for name, value in sound.items()}
        answer = send(seen.client, seen, sent)
        assert (answer.status_code, comes_back(seen, sent, answer)) == (500, [])


BROKEN = [
    ("web.pages.tokens.make_token", "tokens", {"name": "mine", "days": "30", "code": "1"}),
    ("features.drafts.pages.save", "draft", {"source": TEXT.replace("\n", "\r\n")}),
    ("features.events.desk.attempt", "desk-new-event", {"title": "Cup", "description": TEXT.replace("\n", "\r\n")}),
]
