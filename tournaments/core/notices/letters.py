"""How many letters go to addresses that have confirmed nothing, by recipient, by who causes them, and in all.

Every letter is sent by a function of `tournaments.core.notices.email`; one that may reach a stranger is counted here
first.
"""

from collections.abc import Iterable
from contextlib import suppress

from django.db import transaction
from django.utils.crypto import salted_hmac

from engine.sentences import Sentence
from tournaments.core.accounts.spending import spend_budget
from tournaments.core.config.budgets import Budget, declare
from tournaments.core.errors import Refused
from tournaments.core.notices.create import may_be_mailed
from tournaments.models import User

DAY = 86_400
TO_AN_ADDRESS = declare(
    Budget(
        "letters to an address that has confirmed nothing",
        resource="Letters",
        most=5,
        unit="letters",
        holder="recipient",
        where="tournaments.core.notices.letters.may_reach",
        sentence=Sentence("at most %(most)s e-mails a day go to an address that nobody has confirmed; go on tomorrow"),
        seconds=DAY,
    )
)
OF_A_PERSON = declare(
    Budget(
        "letters to strangers that one person causes",
        resource="Letters",
        most=1000,
        unit="letters",
        holder="person",
        where="tournaments.core.notices.letters.count_letters",
        sentence=Sentence(
            "one person causes at most %(most)s e-mails a day to addresses that nobody has confirmed; go on tomorrow"
        ),
        seconds=DAY,
        setting="LETTERS_A_DAY",
    )
)
OF_THE_SITE = declare(
    Budget(
        "letters to strangers of the site",
        resource="Letters",
        most=5000,
        unit="letters",
        holder="site",
        where="tournaments.core.notices.letters.count_letters",
        sentence=Sentence(
            "this site sends at most %(most)s e-mails a day to addresses that nobody has confirmed; go on tomorrow"
        ),
        seconds=DAY,
        setting="SITE_LETTERS_A_DAY",
    )
)
FOR_LOST_PASSWORDS = declare(
    Budget(
        "letters for lost passwords to one address",
        resource="Letters",
        most=5,
        unit="letters",
        holder="recipient",
        where="tournaments.core.notices.letters.count_password_letter",
        sentence=Sentence("at most %(most)s e-mails a day for lost passwords go to one address"),
        seconds=DAY,
    )
)


@transaction.atomic
def count_letters(users: Iterable[User], by: User | None) -> list[User]:
    """Return those to whom a letter may go, after counting it; whoever was written to too often is left out.

    `by`: the person who causes the letters, where one is known. Raises Refused(over_budget).
    """
    admitted = [user for user in sorted(users, key=lambda user: mailbox(user.email)) if may_reach(user)]
    strangers = sum(not may_be_mailed(user) for user in admitted)
    if strangers and by:
        spend_budget(OF_A_PERSON, by.pk, strangers)
    if strangers:
        spend_budget(OF_THE_SITE, "site", strangers)
    return admitted


def may_reach(user: User) -> bool:
    """Return whether the address is confirmed, or was not written to too often today. In order of the mailboxes, so
    that no two transactions wait for each other."""
    if may_be_mailed(user):
        return True
    with suppress(Refused):
        spend_budget(TO_AN_ADDRESS, mailbox(user.email))
        return True
    return False


@transaction.atomic
def count_password_letter(user: User) -> bool:
    """Return whether the letter may go. A confirmed address gets it whatever the site has sent to others."""
    with suppress(Refused):
        spend_budget(FOR_LOST_PASSWORDS, mailbox(user.email))
        return bool(count_letters([user], None))
    return False


def mailbox(address: str) -> str:
    """Return the same code for all spellings of an address that reach one mailbox; an address itself is not kept."""
    local, _, host = address.casefold().rpartition("@")
    with suppress(UnicodeError):
        host = host.encode("idna").decode()
    local = local.translate(dict.fromkeys(map(ord, '."\\'))).partition("+")[0]
    return salted_hmac("mailbox", f"{local}@{host}").hexdigest()
