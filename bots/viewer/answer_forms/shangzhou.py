"""What Shangzhou-Gold asks, in words and controls."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import permutations
from typing import Any, Final

from bots.viewer import places
from bots.viewer.answer_forms.form import Button, Choice, Control, Form, Group, Way
from bots.viewer.commentary.shangzhou import PHASES, TILES, square, things
from engine.games.shangzhou import (
    Goods,
    Proposal,
    ToAccept,
    ToAct,
    ToApply,
    ToBid,
    ToExpand,
    ToOffer,
    ToOrder,
    ToOversee,
    ToSettle,
    ToVeto,
    View,
)

TO: Final = {"order_bid": "bid", "order_apply": "apply", "order_expand": "expand"}
MOST_PLACED, OFFERS = 3, 2
AGENTS: Final = ("", ", a second agent", ", a third agent")


def ask(question: Any, view: View, names: Sequence[str]) -> Form:
    form = _ask(question, view, names)
    first, *others = form.ways
    return replace(form, ways=[_with_extras(first, question, view, names), *others])


def _ask(question: Any, view: View, names: Sequence[str]) -> Form:
    match question:
        case ToSettle(places=homes):
            buttons = [Button(square(at), "sector", at, place=f"sector:{at}") for at in homes]
            return Form("Choose the sector of your Home Node.", [Way("", {"t": "home"}, buttons)])
        case ToAct():
            words = "You may let Hackers and Viruses loose now, or give something away; or go on without."
            return Form(words, [Way("", {"t": "window"}, [Button("Go on")])])
        case ToOversee(besides=besides):
            most = besides.hand.clout
            clout = Control("amount", "number", f"Clout, 0 to {most}", high=most, value="0")
            words = "All bid secretly for oversight, and lose what they bid. The Overseer names the order of turns."
            return Form(words, [Way("", {"t": "oversight"}, [Button("Bid")], [clout])])
        case ToOffer():
            return _offers(question, names)
        case ToAccept(offers=offers):
            tick = [Choice(offer.id, _offered(offer, names), place=f"player:{offer.by}") for offer in offers]
            taken = Control("offers", "list", "Accept", tick)
            return Form(
                "These offers were made to you.", [Way("", {"t": "accept", "offers": []}, [Button("Answer")], [taken])]
            )
        case ToOrder():
            return _order(question, view, names)
        case ToBid(least=least):
            return _bid(least, question.besides.hand.clout, view, names)
        case ToApply():
            return _apply(question)
        case ToVeto(bans=bans):
            tick = [_ban(it.sector, it.seat, names) for it in bans]
            chosen = Control("bans", "list", "Forbid", tick)
            return Form(
                "You may forbid others to bank.", [Way("", {"t": "veto", "bans": []}, [Button("Answer")], [chosen])]
            )
    return _expand(question, names)


def _ban(sector: int, seat: int, names: Sequence[str]) -> Choice:
    label = f"{names[seat]} on {square(sector)}"
    return Choice({"sector": sector, "seat": seat}, label, place=f"sector:{sector}")


# --- the questions that have more to them --------------------------------------------------------------------------


def _offers(question: ToOffer, names: Sequence[str]) -> Form:
    hand = question.besides.hand
    groups = [
        Group(
            f"Offer {number + 1}",
            [
                _to(f"offers.#{number}.to", question.besides.to, names, on_board=number == 0),
                *_goods(f"offers.#{number}.give", "You give", hand),
                *_goods(f"offers.#{number}.want", "You want", Goods(clout=99, hackers=9, viruses=9)),
            ],
        )
        for number in range(OFFERS if question.besides.to else 0)
    ]
    base = {"t": "offers", "offers": [{"give": {}, "want": {}} for _ in groups]}
    needs = [f"offers.#{number}.to" for number in range(len(groups))]
    way = Way("", base, [Button("Answer")], groups=groups, needs=needs)
    return Form(f"The trade window is open: make up to {OFFERS} offers, or none. You have {things(hand)}.", [way])


def _offered(offer: Proposal, names: Sequence[str]) -> str:
    return f"{names[offer.by]} gives {things(offer.give)} for {things(offer.want)}"


def _order(question: ToOrder, view: View, names: Sequence[str]) -> Form:
    phase = PHASES.get(TO.get(view.phase, ""), "this phase")
    default = question.default().seats
    if question.by_seat:
        turns = [[*default[at:], *default[:at]] for at in range(len(default))]
        buttons = [
            Button(", ".join(names[seat] for seat in turn), "seats", turn, place=f"player:{turn[0]}") for turn in turns
        ]
        return Form(f"You oversee: who begins with {phase}?", [Way("", {"t": "order"}, buttons)])
    orders = [
        Choice(list(order), ", ".join(names[seat] for seat in order), place=f"player:{order[0]}")
        for order in permutations(default)
    ]
    way = Way("", {"t": "order"}, [Button("So be it")], [Control("seats", "one", "Order of turns", orders)])
    return Form(f"You oversee: name the order of turns for {phase}.", [way])


def _seat(seat: int, names: Sequence[str]) -> Choice:
    return Choice(seat, names[seat], place=f"player:{seat}")


def _sectors(there: Sequence[int]) -> list[Choice]:
    return [Choice(at, square(at), place=f"sector:{at}") for at in there]


def _bid(least: Sequence[int], clout: int, view: View, names: Sequence[str]) -> Form:
    first = min(range(len(least)), key=least.__getitem__, default=0)
    lots = [
        Choice(lot, _lot(lot, view, names, least[lot]), chosen=lot == first, place=f"lot:{lot}", least=least[lot])
        for lot in range(len(least))
        if least[lot] <= clout
    ]
    low = min((at for at in least if at <= clout), default=1)
    amount = Control("amount", "number", f"More Clout on it, up to {clout}", low=low, high=clout, value=str(low))
    bid = Way("Bid", {"t": "bid"}, [Button("Bid")], [Control("lot", "one", "Tile", lots), amount])
    out = Way("", {"t": "pass"}, [Button("Pass: be out of this phase", quiet=True)])
    return Form(f"Put more Clout on a tile, or pass. You have {clout}.", [*([bid] if lots else []), out])


def _lot(lot: int, view: View, names: Sequence[str], least: int) -> str:
    bids = [f"{names[seat]} {bid}" for seat, bid in enumerate(view.lots[lot].bids) if bid]
    return f"{TILES[view.lots[lot].tile]}: {least} or more; so far {', '.join(bids) or 'no bid'}"


def _apply(question: ToApply) -> Form:
    mine = question.besides.hand.templates
    drawn = places.templates(mine)
    hand = [Choice(tile, TILES[tile], place=drawn.get(tile, "")) for tile in dict.fromkeys(mine)]
    where = Control("sector", "one", "Sector", _sectors(question.sectors))
    controls = [Control("template", "one", "Template", hand), where]
    return Form(
        "Put one of your templates on a sector without one.", [Way("", {"t": "apply"}, [Button("Place")], controls)]
    )


def _expand(question: ToExpand, names: Sequence[str]) -> Form:
    clout, ways = question.besides.hand.clout, []
    if question.valid:
        boxes = [_agent(number, question.valid) for number in range(min(MOST_PLACED, clout))]
        ways.append(Way("Place agents, 1 Clout each", {"t": "expand"}, [Button("Place")], boxes))
    fights = [
        Button(
            f"{names[seat]} in {square(at)}", "*", {"sector": at, "opponent": seat}, quiet=True, place=f"sector:{at}"
        )
        for at, seat in question.fights
    ]
    if fights:
        ways.append(Way("Engage agents of", {"t": "engage"}, fights))
    ways.append(Way("", {"t": "pass"}, [Button("Pass: be out of this phase", quiet=True)]))
    return Form(f"Place agents, engage others', or pass. You have {clout} Clout.", ways)


def _agent(number: int, valid: Sequence[int]) -> Control:
    """Where one goes: the labels tell them apart on the board too, where one picks the sector first."""
    where = [replace(it, label=f"{it.label}{AGENTS[number]}") for it in _sectors(valid)]
    return Control("sectors", "item", f"Agent {number + 1}", [*([Choice("", "none")] if number else []), *where])


# --- what may go with any answer -----------------------------------------------------------------------------------


def _with_extras(way: Way, question: Any, view: View, names: Sequence[str]) -> Way:
    besides = question.besides
    groups, base, needs = list(way.groups), dict(way.base), list(way.needs)
    on_board = isinstance(question, ToAct)  # else the question's own places come first
    tools = [
        (tile, number) for tile, number in (("hacker", besides.hand.hackers), ("virus", besides.hand.viruses)) if number
    ]
    if tools:
        base["uses"] = [{"tile": tile} for tile, _ in tools]
        needs += [f"uses.#{number}.sector" for number in range(len(tools))]
        uses = [_use(number, tile, view, on_board=on_board) for number, (tile, _) in enumerate(tools)]
        groups.append(Group("Let loose", uses))
    if besides.to:
        needs.append("gifts.#0.to")
        to = _to("gifts.#0.to", besides.to, names, on_board=on_board)
        groups.append(Group("Give away", [to, *_goods("gifts.#0", "You give", besides.hand)]))
    if besides.messages:
        needs.append("say.#0.text")
        everybody = [
            Choice(None, "everybody"),
            *(Choice(seat, names[seat]) for seat in range(len(names)) if seat != view.seat),
        ]
        words = Control("say.#0.text", "text", "Words", hint="At most 200 letters without accents.")
        groups.append(Group("Say something", [words, Control("say.#0.to", "one", "To", everybody)]))
    return replace(way, base=base, groups=groups, needs=needs)


def _use(number: int, tile: str, view: View, *, on_board: bool) -> Control:
    """The sectors it can be used on, as far as the board shows it."""
    hacker = tile == "hacker"
    there = [
        at for at, zone in enumerate(view.zones) if (zone not in ("", "home", "N") if hacker else _agents(at, view))
    ]
    named = [replace(it, label=f"{tile} on {it.label}") for it in _sectors(there)]
    where = _on_board(named, on_board=on_board)
    return Control(f"uses.#{number}.sector", "one", tile.capitalize(), [Choice("", "not now"), *where])


def _agents(sector: int, view: View) -> int:
    return sum(there[sector] for there in view.agents)


def _to(path: str, seats: Sequence[int], names: Sequence[str], *, on_board: bool = True) -> Control:
    there = _on_board([_seat(seat, names) for seat in seats], on_board=on_board)
    return Control(path, "one", "To", [Choice("", "nobody"), *there])


def _on_board(choices: Sequence[Choice], *, on_board: bool) -> list[Choice]:
    return [replace(it, place=it.place * on_board) for it in choices]


def _goods(path: str, who: str, most: Goods) -> list[Control]:
    named = {"clout": most.clout, "hackers": most.hackers, "viruses": most.viruses}
    numbers = [
        Control(f"{path}.{name}", "some", f"{who}: {name.capitalize()}, up to {number}", high=number, value="0")
        for name, number in named.items()
        if number
    ]
    tick = [Choice(tile, TILES[tile]) for tile in most.templates]
    return [*numbers, *([Control(f"{path}.templates", "list", f"{who}: templates", tick)] if tick else [])]
