"""What Shangzhou-Gold asks, in words and controls."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import permutations
from typing import Any, Final

from bots.games.shangzhou.board.table import template_places
from bots.games.shangzhou.commentary import PHASES, TILES, square, things
from bots.viewer.answer_forms.form import Button, Choice, Control, Form, Group, Way
from bots.viewer.language import say
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
OVERSIGHT: Final = "All bid secretly for oversight, and lose what they bid. The Overseer names the order of turns."
AGENTS: Final = ("", ", a second agent", ", a third agent")


def ask(question: Any, view: View, names: Sequence[str]) -> Form:
    form = _ask(question, view, names)
    first, *later = form.ways
    return replace(form, ways=[_with_extras(first, question, view, names), *later])


def _ask(question: Any, view: View, names: Sequence[str]) -> Form:
    match question:
        case ToSettle(places=homes):
            buttons = [Button(square(home), "sector", home, place=f"sector:{home}") for home in homes]
            return Form(say("Choose the sector of your Home Node."), [Way("", {"t": "home"}, buttons)])
        case ToAct():
            words = say("You may let Hackers and Viruses loose now, or give something away; or go on without.")
            return Form(words, [Way("", {"t": "window"}, [Button(say("Go on"))])])
        case ToOversee(besides=besides):
            most = besides.hand.clout
            clout = Control("amount", "number", say("Clout, 0 to %(most)s", most=most), high=most, value="0")
            return Form(say(OVERSIGHT), [Way("", {"t": "oversight"}, [Button(say("Bid"))], [clout])])
        case ToOffer():
            return _offers(question, names)
        case ToAccept(offers=offers):
            tick = [Choice(offer.id, _offered(offer, names), place=f"player:{offer.by}") for offer in offers]
            taken = Control("offers", "list", say("Accept"), tick)
            return Form(
                say("These offers were made to you."),
                [Way("", {"t": "accept", "offers": []}, [Button(say("Answer"))], [taken])],
            )
        case ToOrder():
            return _order(question, view, names)
        case ToBid(least=least):
            return _bid(least, question.besides.hand.clout, view, names)
        case ToApply():
            return _apply(question)
        case ToVeto(bans=bans):
            tick = [_ban(ban.sector, ban.seat, names) for ban in bans]
            chosen = Control("bans", "list", say("Forbid"), tick)
            return Form(
                say("You may forbid others to bank."),
                [Way("", {"t": "veto", "bans": []}, [Button(say("Answer"))], [chosen])],
            )
    return _expand(question, names)


def _ban(sector: int, seat: int, names: Sequence[str]) -> Choice:
    label = say("%(name)s on %(sector)s", name=names[seat], sector=square(sector))
    return Choice({"sector": sector, "seat": seat}, label, place=f"sector:{sector}")


# --- the questions that have more to them --------------------------------------------------------------------------


def _offers(question: ToOffer, names: Sequence[str]) -> Form:
    hand = question.besides.hand
    groups = [
        Group(
            say("Offer %(number)s", number=number + 1),
            [
                _to(f"offers.#{number}.to", question.besides.to, names, on_board=number == 0),
                *_goods(f"offers.#{number}.give", say("You give"), hand),
                *_goods(f"offers.#{number}.want", say("You want"), Goods(clout=99, hackers=9, viruses=9)),
            ],
        )
        for number in range(OFFERS if question.besides.to else 0)
    ]
    base = {"t": "offers", "offers": [{"give": {}, "want": {}} for _ in groups]}
    needs = [f"offers.#{number}.to" for number in range(len(groups))]
    alternative = Way("", base, [Button(say("Answer"))], groups=groups, needs=needs)
    return Form(
        say(
            "The trade window is open: make up to %(offers)s offers, or none. You have %(hand)s.",
            offers=OFFERS,
            hand=things(hand),
        ),
        [alternative],
    )


def _offered(offer: Proposal, names: Sequence[str]) -> str:
    return say(
        "%(by)s gives %(give)s for %(want)s", by=names[offer.by], give=things(offer.give), want=things(offer.want)
    )


def _order(question: ToOrder, view: View, names: Sequence[str]) -> Form:
    phase = say(PHASES.get(TO.get(view.phase, ""), "this phase"))
    default = question.default().seats
    if question.by_seat:
        turns = [[*default[place:], *default[:place]] for place in range(len(default))]
        buttons = [
            Button(", ".join(names[seat] for seat in turn), "seats", turn, place=f"player:{turn[0]}") for turn in turns
        ]
        return Form(say("You oversee: who begins with %(phase)s?", phase=phase), [Way("", {"t": "order"}, buttons)])
    orders = [
        Choice(list(order), ", ".join(names[seat] for seat in order), place=f"player:{order[0]}")
        for order in permutations(default)
    ]
    alternative = Way(
        "", {"t": "order"}, [Button(say("Confirm"))], [Control("seats", "one", say("Order of turns"), orders)]
    )
    return Form(say("You oversee: name the order of turns for %(phase)s.", phase=phase), [alternative])


def _seat(seat: int, names: Sequence[str]) -> Choice:
    return Choice(seat, names[seat], place=f"player:{seat}")


def _sectors(sectors: Sequence[int]) -> list[Choice]:
    return [Choice(sector, square(sector), place=f"sector:{sector}") for sector in sectors]


def _bid(least: Sequence[int], clout: int, view: View, names: Sequence[str]) -> Form:
    lots = [
        Choice(lot, _lot(lot, view, names, least[lot]), place=f"lot:{lot}", least=least[lot])
        for lot in range(len(least))
        if least[lot] <= clout
    ]
    low = min((price for price in least if price <= clout), default=1)
    amount = Control(
        "amount", "number", say("More Clout on it, up to %(clout)s", clout=clout), low=low, high=clout, value=str(low)
    )
    bid = Way(say("Bid"), {"t": "bid"}, [Button(say("Bid"))], [Control("lot", "one", say("Tile"), lots), amount])
    out = Way("", {"t": "pass"}, [Button(say("Pass: be out of this phase"), quiet=True)])
    return Form(
        say("Put more Clout on a tile, or pass. You have %(clout)s.", clout=clout), [*([bid] if lots else []), out]
    )


def _lot(lot: int, view: View, names: Sequence[str], least: int) -> str:
    bids = [f"{names[seat]} {bid}" for seat, bid in enumerate(view.lots[lot].bids) if bid]
    return say(
        "%(tile)s: %(least)s or more; so far %(bids)s",
        tile=TILES[view.lots[lot].tile],
        least=least,
        bids=", ".join(bids) or say("no bid"),
    )


def _apply(question: ToApply) -> Form:
    mine = question.besides.hand.templates
    drawn = template_places(mine)
    hand = [Choice(tile, TILES[tile], place=drawn.get(tile, "")) for tile in dict.fromkeys(mine)]
    where = Control("sector", "one", say("Sector"), _sectors(question.sectors))
    controls = [Control("template", "one", say("Template"), hand), where]
    return Form(
        say("Put one of your templates on a sector without one."),
        [Way("", {"t": "apply"}, [Button(say("Place it"))], controls)],
    )


def _expand(question: ToExpand, names: Sequence[str]) -> Form:
    clout, alternatives = question.besides.hand.clout, []
    if question.valid:
        boxes = [_agent(number, question.valid) for number in range(min(MOST_PLACED, clout))]
        alternatives.append(Way(say("Place agents, 1 Clout each"), {"t": "expand"}, [Button(say("Place them"))], boxes))
    fights = [
        Button(
            say("%(name)s in %(at)s", name=names[seat], at=square(sector)),
            "*",
            {"sector": sector, "opponent": seat},
            quiet=True,
            place=f"sector:{sector}",
        )
        for sector, seat in question.fights
    ]
    if fights:
        alternatives.append(Way(say("Engage agents of"), {"t": "engage"}, fights))
    alternatives.append(Way("", {"t": "pass"}, [Button(say("Pass: be out of this phase"), quiet=True)]))
    return Form(say("Place agents, engage others', or pass. You have %(clout)s Clout.", clout=clout), alternatives)


def _agent(number: int, valid: Sequence[int]) -> Control:
    """Return the choice of a sector for one agent. Labels differ by agent: on the board, too, the sector is picked
    first."""
    where = [replace(choice, label=f"{choice.label}{say(AGENTS[number])}") for choice in _sectors(valid)]
    return Control(
        "sectors",
        "item",
        say("Agent %(number)s", number=number + 1),
        [*([Choice("", say("none"))] if number else []), *where],
    )


# --- what may go with any answer -----------------------------------------------------------------------------------


def _with_extras(alternative: Way, question: Any, view: View, names: Sequence[str]) -> Way:
    besides = question.besides
    groups, base, needs = list(alternative.groups), dict(alternative.base), list(alternative.needs)
    on_board = isinstance(question, ToAct)  # else the question's own places come first
    tools = [
        (tile, number) for tile, number in (("hacker", besides.hand.hackers), ("virus", besides.hand.viruses)) if number
    ]
    if tools:
        base["uses"] = [{"tile": tile} for tile, _ in tools]
        needs += [f"uses.#{number}.sector" for number in range(len(tools))]
        uses = [_use(number, tile, view, on_board=on_board) for number, (tile, _) in enumerate(tools)]
        groups.append(Group(say("Let loose"), uses))
    if besides.to:
        needs.append("gifts.#0.to")
        to = _to("gifts.#0.to", besides.to, names, on_board=on_board)
        groups.append(Group(say("Give away"), [to, *_goods("gifts.#0", say("You give"), besides.hand)]))
    if besides.messages:
        needs.append("say.#0.text")
        everybody = [
            Choice(None, say("everybody"), chosen=True),
            *(Choice(seat, names[seat]) for seat in range(len(names)) if seat != view.seat),
        ]
        words = Control("say.#0.text", "text", say("Words"), hint=say("At most 200 letters without accents."))
        groups.append(Group(say("Say something"), [words, Control("say.#0.to", "one", say("To"), everybody)]))
    return replace(alternative, base=base, groups=groups, needs=needs)


def _use(number: int, tile: str, view: View, *, on_board: bool) -> Control:
    """The sectors it can be used on, as far as the board shows it."""
    hacker = tile == "hacker"
    targets = [
        sector
        for sector, zone in enumerate(view.zones)
        if (zone not in ("", "home", "N") if hacker else _agents(sector, view))
    ]
    named = [
        replace(choice, label=say("%(tile)s on %(label)s", tile=tile, label=choice.label))
        for choice in _sectors(targets)
    ]
    where = _on_board(named, on_board=on_board)
    return Control(f"uses.#{number}.sector", "one", tile.capitalize(), [Choice("", say("not now")), *where])


def _agents(sector: int, view: View) -> int:
    return sum(agents[sector] for agents in view.agents)


def _to(path: str, seats: Sequence[int], names: Sequence[str], *, on_board: bool = True) -> Control:
    addressees = _on_board([_seat(seat, names) for seat in seats], on_board=on_board)
    return Control(path, "one", say("To"), [Choice("", say("nobody")), *addressees])


def _on_board(choices: Sequence[Choice], *, on_board: bool) -> list[Choice]:
    return [replace(choice, place=choice.place * on_board) for choice in choices]


def _goods(path: str, whose_part: str, most: Goods) -> list[Control]:
    named = {"clout": most.clout, "hackers": most.hackers, "viruses": most.viruses}
    numbers = [
        Control(
            f"{path}.{name}",
            "some",
            say("%(who)s: %(what)s, up to %(number)s", who=whose_part, what=name.capitalize(), number=number),
            high=number,
            value="0",
        )
        for name, number in named.items()
        if number
    ]
    tick = [Choice(tile, TILES[tile]) for tile in most.templates]
    return [
        *numbers,
        *([Control(f"{path}.templates", "list", say("%(who)s: templates", who=whose_part), tick)] if tick else []),
    ]
