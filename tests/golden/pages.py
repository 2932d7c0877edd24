"""Each page as each kind of person gets it, in a world in which there is something of everything."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.contrib.messages import get_messages
from django.core import mail
from django.db import transaction
from django.db.models.functions import Now
from django.test import Client

from tests.factories import a_bot
from tests.golden.answers import Answer, Answers, files, statuses
from tests.golden.text import changes, joined
from tests.tournaments.web.pages.browser.pages import PAGES, things
from tests.tournaments.web.pages.conftest import a_world, signed_in
from tests.tournaments.web.pages.furnished import a_feed, a_held_event
from tests.tournaments.web.pages.test_permissions import NEVER, TABLE
from tournaments.core.notices import email
from tournaments.models import Attempt, Notice, User

ASKERS = ("visitor", "owner", "organiser", "staff")  # who owns bots, who organises a space, who the site
OF_SPACES = ("/spaces/", "/seasons/?space", "/new-space/")  # where an organiser of a space gets another page
FILM = "film/"  # the frames of recorded games are stored instead
NOT_KEPT = ("/docs/", "/kit/")  # they say what the docs and the code say
GERMAN = {  # pages in German, and for whom
    "visitor": (
        "/",
        "/live/",
        "/matches/{match}/",
        "/events/{event}/",
        "/seasons/",
        "/people/olga/",
        "/ladders/arena/",
    ),
    "owner": ("/bots/{bot}/", "/upload/", "/play/{asking}/", "/notices/", "/account/"),
    "staff": ("/desk/", "/desk/ladders/arena/"),
}


@dataclass(frozen=True, slots=True)
class Site:
    named: Mapping[str, object]  # what stands in addresses
    clients: Mapping[str, Client]
    answers: Answers

    def get(self, asker: str, path: str, **headers: str) -> Answer:
        answer = self.clients[asker].get(path.format_map(self.named), headers=headers)
        return self.answers.ready(answer, as_hash=path.endswith(FILM))

    def post(self, asker: str, path: str, form: Mapping[str, str]) -> tuple[Answer, list[str]]:
        """Return the answer, and the messages that the next page shows. Nothing of it stays."""
        before, client = transaction.savepoint(), Client()
        client.cookies.update(self.clients[asker].cookies)
        answer = client.post(path.format_map(self.named), form)
        messages = [self.answers.settle(str(message)) for message in get_messages(answer.wsgi_request)]
        transaction.savepoint_rollback(before)
        return self.answers.ready(answer), messages


def outputs() -> Iterator[tuple[str, str]]:
    site, lines = made_site(), list[str]()
    for path in addresses():
        askers = [asker for asker in ASKERS if asker != "organiser" or path.startswith(OF_SPACES)]
        answers = {asker: site.get(asker, path) for asker in askers}
        lines += statuses(path, answers)
        if not path.startswith(NOT_KEPT):
            yield from files(path, answers)
    yield "statuses.txt", joined(lines)
    for asker, paths in GERMAN.items():
        for path in paths:
            answer = site.get(asker, path, accept_language="de")
            yield from ((f"german/{name}", text) for name, text in files(path, {asker: answer}))
    yield from sent(site)
    yield "letters.txt", joined(map(site.answers.settle, letters()))


def addresses() -> list[str]:
    paths = [*(page.path for page in PAGES), *(row.path for row in TABLE if 405 not in row.seen)]
    return sorted({path for path in paths if not path.endswith(("/stream", ".png"))})


def made_site() -> Site:
    world = a_world()
    named = {**things(world), **more_things(world)}
    Attempt.objects.update(ended_at=Now() + timedelta(days=1))  # else the worker is heard of for a minute
    people = {"owner": world.owner, "organiser": User.objects.get(username="tessa"), "staff": world.staff}
    return Site(named, {asker: signed_in(people.get(asker)) for asker in ASKERS}, Answers.of_this_world())


def more_things(world: Any) -> dict[str, object]:
    """Return what addresses and forms of the table of permissions name besides."""
    held = a_held_event(world)
    checked = world.bot.versions.earliest("pk")
    return {
        "site": settings.SITE_URL,
        "spare": a_bot(world.owner, "Spare").pk,
        "opponents": "rook, Thistle",
        "version": checked.number,
        "check": checked.check_set.matches.get().pk,
        "entry": world.bot.entries.earliest("pk").pk,
        "entrant": held.entrants.earliest("pk").pk,
        "round": held.slug,
        "held": held.sets.latest("pk").matches.latest("pk").pk,
        "practice": world.owner.practices.earliest("pk").pk,
        "shared": world.owner.practices.exclude(share_key=None).latest("pk").pk,
        "token": world.owner.tokens.earliest("pk").pk,
        "webhook": world.owner.webhooks.earliest("pk").pk,
        "feed": a_feed(world.owner),
        "follow": world.owner.follows.earliest("pk").pk,
    }


def sent(site: Site) -> Iterator[tuple[str, str]]:
    """Yield for each form, empty and as the table of permissions fills it, the answers and forms shown again."""
    lines = list[str]()
    for path, form in forms(site.named):
        what = f"{path} {'filled' if form else 'empty'}"
        answers = {asker: site.post(asker, path, form) for asker in ("visitor", "owner", "staff")}
        lines += statuses(what, {asker: answer for asker, (answer, _) in answers.items()})
        lines += [f"    {asker}: {words}" for asker, (_, messages) in answers.items() for words in messages]
        again = {asker: shown_again(site, asker, path, answer) for asker, (answer, _) in answers.items()}
        for name, text in files(what, {asker: page for asker, page in again.items() if page}):
            yield f"sent/{name}", text
    yield "sent.txt", joined(lines)


def forms(named: Mapping[str, object]) -> Iterator[tuple[str, dict[str, str]]]:
    for row in TABLE:
        if row.sent != NEVER:
            yield row.path, {}
            if row.form:
                yield row.path, {name: value.format_map(named) for name, value in row.form}


def shown_again(site: Site, asker: str, path: str, answer: Answer) -> Answer | None:
    """Return what is different in a form that is shown again, if it has a page."""
    if answer.status not in ("200", "422"):
        return None
    page = site.get(asker, path)
    return Answer("200", changes(page.text, answer.text) if page.status == "200" else answer.text)


def letters() -> Iterator[str]:
    """One of each kind that the site sends."""
    owner, invited = User.objects.get(username="olga"), User.objects.get(username="ada")
    owner.email = owner.confirmed_email = "olga@example.org"
    owner.save()
    for kind in Notice.Kind.values:
        email.mail_notice(
            Notice(user=owner, kind=kind, text=f"What there is to say of a {kind}.", path="/bots/", detail={})
        )
    email.mail_invitation(invited, "Bio 1 made an account for you.")
    email.ask_to_confirm(owner)
    Client().post("/lost-password/", {"email": owner.email})
    for letter in mail.outbox:
        assert isinstance(letter, mail.EmailMessage)
        headers = [f"{name}: {value}" for name, value in letter.extra_headers.items()]
        yield "\n".join([f"To: {letter.to[0]}", f"Subject: {letter.subject}", *headers, "", str(letter.body), "---"])
