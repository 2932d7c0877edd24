"""Letters: who is written to how often, and what they cannot be used for."""

import ast
import re
import threading
import time
from pathlib import Path

import pytest
from django.core import mail
from django.test import Client
from django.utils.html import urlize
from hypothesis import given
from hypothesis import strategies as st
from pytest_django.fixtures import Settings

from tests.factories import a_user
from tests.spaces import a_space
from tests.tournaments.features.spaces.test_joining import refusal
from tests.tournaments.web.api.asking import ask, refused
from tests.tournaments.web.pages.conftest import signed_in
from tournaments.core.accounts.api_tokens import make_token
from tournaments.core.accounts.spending import budget_left, spend_budget
from tournaments.core.config.plain_text import without_links
from tournaments.core.notices.create import notify
from tournaments.core.notices.delivery import deliver_due
from tournaments.core.notices.email import SUBJECTS
from tournaments.core.notices.letters import (
    FOR_LOST_PASSWORDS,
    OF_A_PERSON,
    OF_THE_SITE,
    TO_AN_ADDRESS,
    count_letters,
    mailbox,
)
from tournaments.features.spaces.actions import CloseSpace
from tournaments.features.spaces.opening import open_space
from tournaments.features.spaces.roster import bring_in_and_mail
from tournaments.models import Delivery, Notice, Space, Spending, User

pytestmark = pytest.mark.django_db
SPELLINGS = [
    "Mia.Bo@Example.org",
    "mia.bo+a@example.org",
    "Mia.Bo+b+c@example.org",
    "miabo@EXAMPLE.ORG",
    "m.i.a.b.o@example.org",
]


@pytest.fixture(autouse=True)
def mails(settings: Settings) -> None:
    settings.CAN_MAIL = True


def roster(first: int, last: int) -> str:
    return "".join(f"p{number}@example.org\n" for number in range(first, last))


def test_rosters_in_one_space_after_the_other_write_to_no_more_strangers(settings: Settings) -> None:
    settings.SPACES, by = "anybody", a_user()
    spend_budget(OF_A_PERSON, by.pk, OF_A_PERSON.most - 45)
    for number in range(2):
        space = open_space(by=by, slug=f"bait{number}", title="Bait")
        text = roster(number * 30, number * 30 + 30)
        if number:
            assert refusal(bring_in_and_mail, space=space, text=text, by=by) == "over_budget"
        else:
            assert bring_in_and_mail(space=space, text=text, by=by)[1] == 30
        CloseSpace(space).do(by=by, reason="Again.")
    assert Delivery.objects.count() == User.objects.filter(home__isnull=False).count() == 30
    assert budget_left(OF_A_PERSON, by.pk) == 15, "a roster comes in as a whole, or not at all"


def test_whom_the_page_and_the_api_refuse_learns_why_and_keeps_the_roster() -> None:
    teacher = a_user("tessa")
    space = a_space("club", organiser=teacher)
    spend_budget(OF_A_PERSON, teacher.pk, OF_A_PERSON.most - 2)
    client, path = signed_in(teacher), "/spaces/club/roster/"
    seen = re.search(r'name="seen" value="(\w+)"', client.post(path, {"people": roster(0, 3)}).content.decode())
    assert seen
    page = client.post(path, {"people": roster(0, 3), "seen": seen[1], "do": "yes"}).content.decode()
    assert "at most 1,000 e-mails a day" in page
    assert "p2@example.org" in page
    key = f"Token {make_token(user=teacher, name='t')}"
    assert refused(ask("POST", "spaces/club/roster", key, {"people": roster(0, 3)})) == (429, "over_budget")
    assert space.members.count() == 1
    assert ask("POST", "spaces/club/roster", key, {"people": roster(0, 2)}).json()["mailed"] == 2


def test_a_course_of_950_is_mailed_on_one_day() -> None:
    people = [User(username=f"p{number}", email=f"p{number}@example.org") for number in range(950)]
    assert len(count_letters(people, a_user())) == 950


def test_the_site_writes_to_no_more_strangers_than_its_budget_whoever_causes_it() -> None:
    spend_budget(OF_THE_SITE, "site", OF_THE_SITE.most - 5)
    for number, sent in enumerate((3, None, 2)):
        space = a_space(f"club{number}", organiser=a_user())
        by, text = space.members.get().user, roster(number * 10, number * 10 + (sent or 3))
        if sent:
            assert bring_in_and_mail(space=space, text=text, by=by)[1] == sent
        else:
            assert refusal(bring_in_and_mail, space=space, text=text, by=by) == "over_budget"
    assert Delivery.objects.count() == 5


def test_one_mailbox_gets_five_letters_a_day_however_it_is_spelt_and_whoever_writes() -> None:
    spaces = [a_space(f"club{number}", organiser=a_user()) for number in range(7)]
    sent = [
        bring_in_and_mail(space=space, text=SPELLINGS[number % 5], by=space.members.get().user)[1]
        for number, space in enumerate(spaces)
    ]
    assert sent == [1, 1, 1, 1, 1, 0, 0]
    writer = a_user()
    User.objects.filter(pk=writer.pk).update(email="miabo@example.org")
    page = signed_in(writer).post("/notices/letter/", follow=True).content.decode()
    assert "e-mails a day go to an address that nobody has confirmed" in page
    key = f"Token {make_token(user=writer, name='t')}"
    assert refused(ask("POST", "account/letter", key)) == (429, "over_budget")
    assert mail.outbox == []


def test_mailboxes_of_different_people_are_counted_apart() -> None:
    assert len({mailbox(address) for address in (*SPELLINGS, '"mia.bo"@example.org', '"mia\\.bo"@example.org')}) == 1
    assert mailbox("a@bücher.example") == mailbox("a@xn--bcher-kva.example")
    assert len({mailbox(address) for address in ("a@b.example", "b@b.example", "a@c.example", "", "a@", "@b")}) == 6


def test_who_was_left_out_gets_the_letter_by_the_next_roster() -> None:
    spend_budget(TO_AN_ADDRESS, mailbox("p1@example.org"), TO_AN_ADDRESS.most)
    space = a_space("club", organiser=(teacher := a_user()))
    assert bring_in_and_mail(space=space, text=roster(0, 3), by=teacher)[1] == 2
    space.refresh_from_db()
    Spending.objects.all().delete()  # a day later
    assert bring_in_and_mail(space=space, text=roster(0, 3), by=teacher)[1] == 1


def test_letters_that_confirm_an_address_count_for_their_writer() -> None:
    writer = a_user()
    User.objects.filter(pk=writer.pk).update(email="stranger@example.org")
    spend_budget(OF_A_PERSON, writer.pk, OF_A_PERSON.most)
    assert "most 1,000 e-mails" in signed_in(writer).post("/notices/letter/", follow=True).content.decode()
    assert mail.outbox == []
    assert budget_left(TO_AN_ADDRESS, mailbox("stranger@example.org")) == TO_AN_ADDRESS.most, "nothing half done"


HOSTILE = [
    "Win at https://evil.example/x",
    "www.evil.example",
    "evil.com",
    "write to eve@evil.example",
    "HTTP://EVIL.EXAMPLE",
]
HOSTILE += [
    "mailto:eve@evil.example",
    "evil\u3002com",
    "é.evil.example",
    "1.evil.io/path",
    "//evil.example",
    "a.b.c.de",
]


@pytest.mark.parametrize("title", HOSTILE)
def test_nobodys_words_are_a_subject_and_no_link_of_theirs_opens(title: str) -> None:
    space = a_space("club", organiser=(teacher := a_user()))
    Space.objects.update(title=title)
    space.refresh_from_db()
    bring_in_and_mail(space=space, text="ada@example.org", by=teacher)
    User.objects.filter(pk=teacher.pk).update(email="t@example.org", confirmed_email="t@example.org", mailed=["team"])
    teacher.refresh_from_db()
    notify([teacher], "team", "a", f"Eve asks you to join the team {title}.", "/")
    while deliver_due():
        pass
    assert {str(letter.subject) for letter in mail.outbox} == {"An account was made for you", "A team asks you to join"}
    for letter in mail.outbox:
        assert not re.search(r"evil\S*\.\S*\w|\S@|https?://(?!127)|c\.d", str(letter.body), re.IGNORECASE), letter.body


def test_every_kind_of_notice_has_a_subject() -> None:
    assert SUBJECTS.keys() == {str(kind) for kind in Notice.Kind.values}


@given(
    st.text(alphabet="ab1.@:/-+ü。", max_size=25)
    | st.from_regex(r"\A(https?://|www\.|)([a-z0-9]+\.){1,3}(com|de|io|org|net)/?\Z")
)
def test_a_text_without_links_has_none_that_a_program_finds(text: str) -> None:
    assert "<a " not in urlize(without_links(text))
    assert without_links(text).replace(" ", "") == text.replace(" ", "")


@pytest.mark.parametrize(
    "text", ["Orchid v1.2 met its champion.", "Elo 1,204.5 at 10:30 UTC.", "e.V. and so on ... fine"]
)
def test_other_texts_stay_as_they_are(text: str) -> None:
    assert without_links(text) == text


def test_every_letter_is_sent_from_one_module_by_a_function_that_is_counted() -> None:
    """A new kind of letter fails here until it is counted, or goes to those alone who have confirmed their address."""
    root = Path(__file__).parents[4] / "tournaments"
    sends = re.compile(r"EmailM|send_mail\(|mail_admins|mail_managers|import smtplib|SMTP\(|email_user")
    allowed = {"core/notices/email.py", "web/pages/account_forms.py"}  # the latter overrides what Django calls
    senders = {str(path.relative_to(root)) for path in root.rglob("*.py") if sends.search(path.read_text())}
    assert senders == allowed
    tree = ast.parse((root / "core/notices/email.py").read_text())
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    counts = {
        node.name: ast.unparse(node) for node in functions if "letter(" in ast.unparse(node) and node.name != "letter"
    }
    checks = {
        "mail_notice": "may_be_mailed(",
        "mail_invitation": "waits(",  # counted by `bring_in_and_mail`
        "ask_to_confirm": "letters.count_letters(",
        "mail_new_password": "letters.count_password_letter(",
    }
    assert counts.keys() == checks.keys()
    assert [name for name, check in checks.items() if check not in counts[name]] == []


def sent_letters(count: int) -> list[str]:
    """Return to whom letters went, once there are so many and no thread sends another one."""
    deadline = time.monotonic() + 10
    while len(mail.outbox) < count and time.monotonic() < deadline:
        threading.Event().wait(0.01)
    for thread in threading.enumerate():
        if thread.name == "lost password":
            thread.join()
    return [str(letter.body) for letter in mail.outbox]


def lose(number: int, email: str = "olga@example.org") -> str:
    """Ask from an address of its own: those are counted by themselves."""
    client = Client(REMOTE_ADDR=f"203.0.113.{number}")
    return client.post("/lost-password/", {"email": email}, follow=True).content.decode()


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("confirmed", ["", "olga@example.org"])
def test_lost_passwords_are_counted_by_recipient_and_tell_nothing(confirmed: str) -> None:
    a_user("olga")
    User.objects.update(email="olga@example.org", confirmed_email=confirmed)
    answers = {lose(number) for number in range(7)} | {lose(number, "no@example.org") for number in range(8, 15)}
    assert len(sent_letters(5)) == 5
    assert {"on its way, unless 5 went there today" in answer for answer in answers} == {True}
    assert len({re.sub(r"csrf\w+\" value=\"\w+|nonce=\"[^\"]+", "", answer) for answer in answers}) == 1


@pytest.mark.django_db(transaction=True)
def test_accounts_of_others_with_ones_address_neither_multiply_letters_nor_take_them() -> None:
    for number in range(12):
        a_user(f"eve{number}")
    owner = a_user("olga")
    User.objects.update(email="olga@example.org")
    User.objects.filter(pk=owner.pk).update(confirmed_email="olga@example.org")
    lose(1)
    written = sent_letters(5)
    assert len(written) == 5
    assert any("account olga at" in body for body in written)
    assert budget_left(FOR_LOST_PASSWORDS, mailbox("olga@example.org")) == 0


@pytest.mark.django_db(transaction=True)
def test_a_lost_password_of_a_confirmed_address_does_not_depend_on_what_others_sent() -> None:
    a_user("olga")
    User.objects.update(email="olga@example.org", confirmed_email="olga@example.org")
    spend_budget(OF_THE_SITE, "site", OF_THE_SITE.most)
    lose(1)
    assert len(sent_letters(1)) == 1
