"""Forms of questions: whatever is sent, it is read as an answer or refused in a sentence."""

import json
from contextlib import suppress
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bots.viewer.answer_forms import form_of
from bots.viewer.answer_forms.form import Button, Choice, Control, Form, FormError, Group, Way, read_sent_answer
from engine.core import IllegalAction, Match, Position
from engine.dice import Dice
from engine.game import AnyGame
from engine.games import GAMES

NAMES = ["Ann", "Bob", "Cy"]
OPTIONS: dict[str, dict[str, object]] = {
    "gigabucks": {"talk": "typed", "seating": "auction", "max_rounds": 20, "voluntary_retry": True},
    "shangzhou": {"home_layout": "choose", "max_turns": 3},
}
texts = st.sampled_from(["", "1", "-1", "null", "{", "[]", '{"a": 1}', '"x"', "9" * 5000, "NaN", "[" * 3000, "\0"])
names = st.sampled_from(
    ["a:one", "a.#0.b:number", "a.#x:one", "*:one", ".:text", "a.b.c.d.e.f.g:text", "#:list", "a:some"]
)


@given(st.dictionaries(names | st.sampled_from(["base", "needs"]), st.lists(texts, max_size=2)))
def test_no_form_however_odd_is_more_than_refused(sent: dict[str, list[str]]) -> None:
    with suppress(FormError):
        assert isinstance(read_sent_answer(sent), dict)


def test_items_of_a_list_that_lack_what_is_needed_are_left_out() -> None:
    needs = json.dumps(["menu.#0.corps", "menu.#1.corps"])
    sent = {"base": ['{"t": "offer", "menu": []}'], "needs": [needs], "menu.#0.least:number": ["3"]}
    assert read_sent_answer(sent) == {"t": "offer", "menu": []}
    sent |= {"menu.#1.corps:list": ["4", "9"], "menu.#1.least:number": ["7"]}
    assert read_sent_answer(sent) == {"t": "offer", "menu": [{"corps": [4, 9], "least": 7}]}


def test_a_button_goes_before_the_control_of_its_name() -> None:
    assert read_sent_answer({"base": ['{"t": "bid"}'], "amount:number": ["12", "0"]}) == {"t": "bid", "amount": 0}


@pytest.mark.parametrize("game", GAMES)
def test_every_question_can_be_answered_as_its_form_is_laid_out(game: str) -> None:
    """One of its buttons is legal in every way, without touching a control, or it is said why not."""
    rules, seen = GAMES[game], set[str]()
    match = rules.start(rules.read_options({"players": 3, **OPTIONS.get(game, {})}), "forms")
    dice, legal = Dice.of(game), 0
    for _ in range(400):
        if match.over:
            break
        for seat, question in match.questions.items():
            if question.tag not in seen or len(seen) > 6:
                legal += tried(rules, match, seat)
                seen.add(question.tag)
        match.apply({seat: question.draw(dice) for seat, question in match.questions.items()})
    assert legal >= len(seen)


def tried(game: AnyGame, match: Match[Position], seat: int) -> int:
    form: Form = form_of(game, match, seat, NAMES)
    check_nothing_is_chosen(form)
    legal = sum(is_legal(match, seat, way, number) for number, way in enumerate(form.ways))
    assert legal, form
    return legal


def check_nothing_is_chosen(form: Form) -> None:
    """Check that nothing is chosen but what stands for nothing, or goes only with something that is typed."""
    for way in form.ways:
        assert not any(choice.chosen and choice.key for control in way.controls for choice in control.choices)
        assert not any(control.must_choose for group in way.groups for control in group.controls)


def is_legal(match: Match[Position], seat: int, way: Way, number: int) -> bool:
    sent = {"base": [way.base_key], "needs": [way.needs_key], "way": [str(number)]}
    for control in (*way.controls, *(control for group in way.groups for control in group.controls)):
        picked = [choice.key for choice in control.choices if choice.chosen]
        if control.kind != "list":
            first = [picked[0] if picked else control.choices[0].key] if control.choices else [control.value]
            sent.setdefault(control.name, []).extend(first)
    button = Random(number).choice(way.buttons)
    if button.name:
        sent.setdefault(button.name, []).append(button.key)
    try:
        return bool(match.read(seat, read_sent_answer(sent)))
    except IllegalAction:
        return False


def test_a_tile_says_what_a_bid_on_it_takes_at_least() -> None:
    rules = GAMES["shangzhou"]
    match = rules.start(rules.read_options({"players": 2}), "tiles")
    while not (asked := [seat for seat, question in match.questions.items() if question.tag == "bid"]):
        match.apply({seat: question.default() for seat, question in match.questions.items()})
    (tile, amount), question = form_of(rules, match, asked[0], NAMES).ways[0].controls, match.questions[asked[0]]
    assert [choice.least for choice in tile.choices] == question.least  # type: ignore[attr-defined]
    assert amount.value == str(min(choice.least for choice in tile.choices))


def test_what_would_be_sent_is_read_back_in_words_without_what_stands_for_nothing() -> None:
    cards = Control("card", "one", "Card", [Choice("a", "Ace"), Choice("b", "Bishop")], radio=True)
    words = [Control("say.#0.text", "text", "Words"), Control("say.#0.to", "one", "To", [Choice(None, "everybody")])]
    way = Way(
        "Place",
        {},
        [Button("On pile 1", "pile", 1), Button("On pile 2", "pile", 2)],
        [cards, Control("clout", "some", "Clout", high=3)],
        [Group("Say something", words)],
        ["say.#0.text"],
    )
    sent = {"card:one": ['"b"'], "pile:one": ["2"], "clout:some": ["0"], "say.#0.to:one": ["null"]}
    assert way.says(sent) == "On pile 2; Place; Card: Bishop"
    sent |= {"clout:some": ["3"], "say.#0.text:text": ["hello"]}
    assert way.says(sent) == "On pile 2; Place; Card: Bishop; Clout: 3; Words: hello; To: everybody"
