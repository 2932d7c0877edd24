"""What Corporate Gigabucks asks, in words and controls."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from bots.viewer import places
from bots.viewer.answer_forms.bids import bid
from bots.viewer.answer_forms.form import Button, Choice, Control, Form, Group, Way
from bots.viewer.commentary.gigabucks import LOTS, corporations, lines, money
from engine.games.gigabucks import (
    AuctionView,
    ToBid,
    ToBuyLines,
    ToChoose,
    ToCut,
    ToOffer,
    ToPick,
    ToPlace,
    View,
)

BUNDLES_SHOWN = 3  # in the form of an offer; bots may make more
RESIGN = (Choice("", "Play on"), Choice(value=True, label="Resign when this turn ends"))
KINDS = (Choice("intent", "What I intend"), Choice("suggest", "A suggestion"), Choice("deal", "A deal"))


def ask(question: Any, view: View, names: Sequence[str]) -> Form:
    form = _ask(question, view, names)
    return replace(form, ways=[_with_extras(way, question.talk, view, names) for way in form.ways])


def _ask(question: Any, view: View, names: Sequence[str]) -> Form:
    match question:
        case ToPlace(spaces):
            choices = [Choice(at, _space(at, view, names), place=f"space:{at}") for at in spaces]
            where = Control("space", "one", "Space", choices)
            return Form("Put your token on a space.", [Way("", {"t": "place"}, [Button("Put it there")], [where])])
        case ToBid():
            return _bid(question, view, names)
        case ToBuyLines():
            return _lines(question, view)
        case ToOffer(corps):
            return _offer(corps, view)
        case ToCut(low, high):
            by = Control("by", "number", f"Lower by {money(low)} to {money(high)}", low=low, high=high, value=str(low))
            away = Button("No second offer", "by", 0, "number", quiet=True)
            words = "Nobody met the minimum. Offer again, with every minimum lower by so much?"
            return Form(words, [Way("", {"t": "cut"}, [Button("Offer again"), away], [by])])
        case ToPick(corps):
            pick = Control("corp", "one", "Corporation", _choices(corps, view))
            return Form("Take one of the debtor's corporations.", [Way("", {"t": "pick"}, [Button("Take it")], [pick])])
    return _choose(question, view)


def _space(at: int, view: View, names: Sequence[str]) -> str:
    owner = view.owner[at]
    if owner is None:
        return f"Space {at}"
    whose = "yours" if owner == view.seat else names[owner]
    return f"Space {at} ({whose}, {lines(view.lines[at])})"


def _corporation(corp: int, view: View) -> str:
    return f"Corporation {corp}, {lines(view.lines[corp])}"


def _choices(corps: Sequence[int], view: View) -> list[Choice]:
    return [Choice(corp, _corporation(corp, view), place=f"space:{corp}") for corp in corps]


def _bid(question: ToBid, view: View, names: Sequence[str]) -> Form:
    auction, mine = view.auction, money(view.cash[view.seat])
    way = bid({"t": "bid"}, question.low, question.high, money, step=question.step)
    if auction is None:
        return Form(f"Bid, or pass. You have {mine}.", [way])
    high = (
        f"{names[auction.leader]} leads with {money(auction.high)}" if auction.leader is not None else "no bid so far"
    )
    return Form(f"Bid for {_lot(auction, names)}, or pass: {high}. {_price(auction, names)} You have {mine}.", [way])


def _lot(auction: AuctionView, names: Sequence[str]) -> str:
    by = "" if auction.by is None else names[auction.by]
    menu = [f"{corporations(bundle.corps)} from {money(bundle.least)}" for bundle in auction.menu]
    return LOTS[auction.kind].format(space=auction.space, by=by) + (f": {' or '.join(menu)}" if menu else "")


def _price(auction: AuctionView, names: Sequence[str]) -> str:
    if auction.to_each:
        return "The winner pays the bid to each opponent."
    return "The winner pays the bid." if auction.by is None else f"The winner pays it to {names[auction.by]}."


def _lines(question: ToBuyLines, view: View) -> Form:
    """For one corporation at once; for several if there is money for more than one line."""
    which = Control("add", "key", "Corporation", _choices(question.corps, view))
    number = Control("add.@", "number", f"Product lines, 1 to {question.most}", low=1, high=question.most, value="1")
    one = Way("", {"t": "lines", "add": {}}, [Button("Buy")], [which, number])
    several = question.most > 1 < len(question.corps)
    words = f"Your bid buys product lines at {money(question.price)} each: 1 to {question.most} in all. For which?"
    return Form(words, [one, *([_shared_out(question, view)] if several else [])])


def _shared_out(question: ToBuyLines, view: View) -> Way:
    first, *_ = question.corps
    each = [
        Control(
            f"add.{corp}",
            "some",
            f"{_corporation(corp, view)}: add",
            high=question.most,
            value=str(int(corp == first)),
        )
        for corp in question.corps
    ]
    return Way(
        "", {"t": "lines", "add": {}}, [Button("Buy for several", quiet=True)], groups=[Group("Or for several", each)]
    )


def _offer(corps: Sequence[int], view: View) -> Form:
    bundles = range(min(BUNDLES_SHOWN, len(corps)))
    groups = [_bundle(number, corps, view) for number in bundles]
    way = Way(
        "",
        {"t": "offer", "menu": []},
        [Button("Offer these"), Button("Offer nothing", "menu", [], "one", quiet=True)],
        groups=groups,
        needs=[f"menu.#{number}.corps" for number in bundles],
    )
    return Form("You may offer corporations for sale: one of these bundles, to whoever bids most.", [way])


def _bundle(number: int, corps: Sequence[int], view: View) -> Group:
    """On the board one ticks for the first."""
    tick = [replace(choice, place=choice.place * (number == 0)) for choice in _choices(corps, view)]
    least = Control(f"menu.#{number}.least", "number", "For at least, in $", low=1, high=100_000, value="1")
    return Group(f"Bundle {number + 1}", [Control(f"menu.#{number}.corps", "list", "Corporations", tick), least])


def _choose(question: ToChoose, view: View) -> Form:
    assert view.auction
    menu = view.auction.menu
    buttons = [
        Button(corporations(menu[at].corps).capitalize(), "bundle", at, place=places.bundle(at))
        for at in question.bundles
    ]
    return Form("Your bid is enough for these: take one.", [Way("", {"t": "choose"}, buttons)])


def _with_extras(way: Way, messages: int, view: View, names: Sequence[str]) -> Way:
    """Any answer may announce a resignation, and talk if that is on."""
    resign = Control("resign", "one", "Resign?", RESIGN)
    talk_groups = [_message(view, names)] if messages else []
    talk: dict[str, object] = {"talk": [{"t": "say", "to": None}]} if messages else {}
    needs = [*way.needs, *(["talk.#0.text"] if messages else [])]
    groups = [*way.groups, *talk_groups, Group("Resign", [resign])]
    return replace(way, base={**way.base, **talk}, groups=groups, needs=needs)


def _message(view: View, names: Sequence[str]) -> Group:
    others = [Choice(seat, name) for seat, name in enumerate(names) if seat != view.seat]
    return Group(
        "Say something, which all hear",
        [
            Control("talk.#0.text", "text", "Words", hint="At most 200 letters without accents."),
            Control("talk.#0.kind", "one", "Which are", KINDS),
            Control("talk.#0.to", "one", "To", [Choice(None, "everybody"), *others]),
        ],
    )
