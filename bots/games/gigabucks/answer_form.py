"""What Corporate Gigabucks asks, in words and controls."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from bots.games.gigabucks.board.menu import bundle_place
from bots.games.gigabucks.commentary import LOTS, bucks, corporation_names, product_lines
from bots.viewer.answer_forms.bids import bid
from bots.viewer.answer_forms.form import Button, Choice, Control, Form, Group, Way
from bots.viewer.commentary.story import join_with_and
from bots.viewer.language import say, say_number
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
KINDS = {"intent": "What I intend", "suggest": "A suggestion", "deal": "A deal"}


def ask(question: Any, view: View, names: Sequence[str]) -> Form:
    form = _ask(question, view, names)
    return replace(form, ways=[_with_extras(alternative, question.talk, view, names) for alternative in form.ways])


def _ask(question: Any, view: View, names: Sequence[str]) -> Form:
    match question:
        case ToPlace(spaces):
            choices = [Choice(number, _space(number, view, names), place=f"space:{number}") for number in spaces]
            where = Control("space", "one", say("Which space"), choices)
            return Form(
                say("Put your token on a space."), [Way("", {"t": "place"}, [Button(say("Put it there"))], [where])]
            )
        case ToBid():
            return _bid(question, view, names)
        case ToBuyLines():
            return _lines(question, view)
        case ToOffer(corps):
            return _offer(corps, view)
        case ToCut(low, high):
            by = Control(
                "by",
                "number",
                say("Lower by %(low)s to %(high)s", low=bucks(low), high=bucks(high)),
                low=low,
                high=high,
                value=str(low),
            )
            away = Button(say("No second offer"), "by", 0, "number", quiet=True)
            words = say("Nobody met the minimum. Offer again, with every minimum lower by this much?")
            return Form(words, [Way("", {"t": "cut"}, [Button(say("Offer again")), away], [by])])
        case ToPick(corps):
            pick = Control("corp", "one", say("Corporation"), _choices(corps, view))
            return Form(
                say("Take one of the debtor's corporations."),
                [Way("", {"t": "pick"}, [Button(say("Take it"))], [pick])],
            )
    return _choose(question, view)


def _space(space: int, view: View, names: Sequence[str]) -> str:
    owner = view.owner[space]
    if owner is None:
        return say("Space %(at)s", at=space)
    owned_by = say("yours") if owner == view.seat else names[owner]
    return say("Space %(at)s (%(whose)s, %(lines)s)", at=space, whose=owned_by, lines=product_lines(view.lines[space]))


def _corporation(corp: int, view: View) -> str:
    return say("Corporation %(corp)s, %(lines)s", corp=corp, lines=product_lines(view.lines[corp]))


def _choices(corps: Sequence[int], view: View) -> list[Choice]:
    return [Choice(corp, _corporation(corp, view), place=f"space:{corp}") for corp in corps]


def _bid(question: ToBid, view: View, names: Sequence[str]) -> Form:
    auction, mine = view.auction, bucks(view.cash[view.seat])
    alternative = bid({"t": "bid"}, question.low, question.high, bucks, step=question.step)
    if auction is None:
        return Form(say("Bid, or pass. You have %(mine)s.", mine=mine), [alternative])
    high = (
        say("%(leader)s leads with %(high)s", leader=names[auction.leader], high=bucks(auction.high))
        if auction.leader is not None
        else say("no bid so far")
    )
    return Form(
        say(
            "Bid for %(lot)s, or pass: %(high)s. %(price)s You have %(mine)s.",
            lot=_lot(auction, names),
            high=high,
            price=_price(auction, names),
            mine=mine,
        ),
        [alternative],
    )


def _lot(auction: AuctionView, names: Sequence[str]) -> str:
    by = "" if auction.by is None else names[auction.by]
    menu = [
        say("%(corps)s from %(least)s", corps=corporation_names(bundle.corps), least=bucks(bundle.least))
        for bundle in auction.menu
    ]
    return say(LOTS[auction.kind], space=auction.space, by=by) + (f": {say(' or ').join(menu)}" if menu else "")


def _price(auction: AuctionView, names: Sequence[str]) -> str:
    if auction.to_each:
        return say("The winner pays the bid to each opponent.")
    by = None if auction.by is None else names[auction.by]
    return say("The winner pays it to %(by)s.", by=by) if by else say("The winner pays the bid.")


def _lines(question: ToBuyLines, view: View) -> Form:
    """Return a form that buys for one corporation, and for several if there is money for more than one line."""
    which = Control("add", "key", say("Corporation"), _choices(question.corps, view))
    number = Control(
        "add.@", "number", say("Product lines, 1 to %(most)s", most=question.most), low=1, high=question.most, value="1"
    )
    single = Way("", {"t": "lines", "add": {}}, [Button(say("Buy"))], [which, number])
    several = question.most > 1 < len(question.corps)
    words = say(
        "Your bid buys product lines at %(price)s each: 1 to %(most)s in all. For which?",
        price=bucks(question.price),
        most=question.most,
    )
    return Form(words, [single, *([_shared_out(question, view)] if several else [])])


def _shared_out(question: ToBuyLines, view: View) -> Way:
    numbers = [
        Control(
            f"add.{corp}",
            "some",
            say("%(corp)s: add", corp=_corporation(corp, view)),
            high=question.most,
            value="0",
        )
        for corp in question.corps
    ]
    return Way(
        "",
        {"t": "lines", "add": {}},
        [Button(say("Buy for several"), quiet=True)],
        groups=[Group(say("Or for several"), numbers)],
    )


def _offer(corps: Sequence[int], view: View) -> Form:
    bundles = range(min(BUNDLES_SHOWN, len(corps)))
    groups = [_bundle(number, corps, view) for number in bundles]
    alternative = Way(
        "",
        {"t": "offer", "menu": []},
        [Button(say("Offer these")), Button(say("Offer nothing"), "menu", [], "one", quiet=True)],
        groups=groups,
        needs=[f"menu.#{number}.corps" for number in bundles],
    )
    return Form(say("You may offer corporations for sale: one of these bundles, to the highest bidder."), [alternative])


def _bundle(number: int, corps: Sequence[int], view: View) -> Group:
    """Return the controls of one bundle. A click on the board ticks corporations of the first."""
    tick = [replace(choice, place=choice.place * (number == 0)) for choice in _choices(corps, view)]
    least = Control(f"menu.#{number}.least", "number", say("For at least, in $"), low=1, high=100_000, value="1")
    return Group(
        say("Bundle %(number)s", number=number + 1),
        [Control(f"menu.#{number}.corps", "list", say("Corporations"), tick), least],
    )


def _choose(question: ToChoose, view: View) -> Form:
    assert view.auction
    menu = view.auction.menu
    buttons = [
        Button(_together(menu[number].corps), "bundle", number, place=bundle_place(number))
        for number in question.bundles
    ]
    return Form(say("Your bid is enough for these: take one."), [Way("", {"t": "choose"}, buttons)])


def _together(corps: Sequence[int]) -> str:
    named = join_with_and([str(corp) for corp in corps])
    return say_number("Corporation %(named)s", "Corporations %(named)s", len(corps), named=named)


def _with_extras(alternative: Way, messages: int, view: View, names: Sequence[str]) -> Way:
    """Any answer may announce a resignation, and talk if that is on."""
    choices = (Choice("", say("Play on")), Choice(value=True, label=say("Resign when this turn ends")))
    resign = Control("resign", "one", say("Resign?"), choices)
    talk_groups = [_message(view, names)] if messages else []
    talk: dict[str, object] = {"talk": [{"t": "say", "to": None}]} if messages else {}
    needs = [*alternative.needs, *(["talk.#0.text"] if messages else [])]
    groups = [*alternative.groups, *talk_groups, Group(say("Resign"), [resign])]
    return replace(alternative, base={**alternative.base, **talk}, groups=groups, needs=needs)


def _message(view: View, names: Sequence[str]) -> Group:
    kinds = [Choice(kind, say(label), chosen=kind == "intent") for kind, label in KINDS.items()]
    rivals = [Choice(seat, name) for seat, name in enumerate(names) if seat != view.seat]
    return Group(
        say("Say something to everyone"),
        [
            Control("talk.#0.text", "text", say("Words"), hint=say("At most 200 letters without accents.")),
            Control("talk.#0.kind", "one", say("Which are"), kinds),
            Control("talk.#0.to", "one", say("To"), [Choice(None, say("everybody"), chosen=True), *rivals]),
        ],
    )
