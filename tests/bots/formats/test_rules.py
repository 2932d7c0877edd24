"""The rules page of an event: every setting that decides something is said."""

from hypothesis import given

from bots.formats.settings import Groups, Knockout, RoundRobin, Swiss
from tests.bots.formats.drawing import Event, events
from tournaments.ledger.formats.rules_text import rules_in_words


@given(events(most=40))
def test_rules_are_whole_sentences_about_the_tables_and_the_byes(event: Event) -> None:
    rules = rules_in_words(event[0])
    assert all(rule[0].isupper() or rule[0].isdigit() for rule in rules)
    assert all(rule[-1] in ".:" for rule in rules)
    assert sum(rule.startswith("A table seats") for rule in rules) == 1 + isinstance(event[0], Groups)
    assert any("bye" in rule for rule in rules)
    assert len(set(map(len, rules))) > 3


def test_tie_breaks_are_listed_in_their_order_and_end_with_the_lot() -> None:
    rules = rules_in_words(Swiss(rank_by=("performance", "buchholz_cut_1")))
    listed = [rule for rule in rules if rule[0].isdigit()]
    assert [rule.split(":")[0].split(",")[0] for rule in listed] == [
        "1. Performance rating",
        "2. Buchholz cut 1",
        "3. A lot",
    ]


def test_numbers_are_said_where_they_are_set() -> None:
    text = " ".join(
        rules_in_words(Groups(4, 2, RoundRobin(seats=4, rounds=5, sets=2), Knockout(sets=(1, 2, 8), extra=2)))
    )
    for sentence in (
        "4 groups",
        "first 2 of each",
        "5 rounds",
        "plays 2 sets in a round",
        "1, then 2, then 8",
        "up to 2 more",
    ):
        assert sentence in text


def test_rounds_of_swiss_say_how_many_bots_they_need() -> None:
    needs = "So many rounds need 10 bots at least."
    assert needs in rules_in_words(Swiss(rounds=5))
    assert needs in rules_in_words(Groups(1, 4, Swiss(rounds=5), RoundRobin()))
    for other in (Swiss(), Swiss(seats=4, rounds=5), Swiss(rounds=1)):
        assert not any(rule.startswith("So many rounds") for rule in rules_in_words(other))


def test_where_the_numbers_do_not_divide_the_smallest_table_is_said() -> None:
    assert "down to 3" in rules_in_words(RoundRobin(seats=4, fewest=3))[0]
    assert "down to" not in rules_in_words(RoundRobin(seats=4))[0]
