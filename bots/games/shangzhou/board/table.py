"""What lies beside the board: the turn and its order, the tiles up for bid, and a line for each player."""

from collections.abc import Sequence
from typing import Final

from bots.games.shangzhou.board.marks import NAMES, does, mark, seat_piece
from bots.games.shangzhou.board.phases import HAPPENS, STEPS, phase, phase_sentence, to_answer, turn_step
from bots.games.shangzhou.board.sectors import BOTTOM, TOP
from bots.viewer.language import decimal, say
from bots.viewer.lettering import squeeze
from bots.viewer.screens import WIDE, rows
from bots.viewer.svg import Markup, Place, clip, group, rect, seat_words, shorten, text, tooltip
from engine.core import Seat
from engine.games.shangzhou import Goods, Lot, Position, Standing, forecast, standings
from engine.games.shangzhou.pieces import DIE, DISPLAYED, NODES

WIDTH: Final = 480
LOTS, LOT_WIDTH, LOT_HEIGHT, LOT_STEP = 416, 62, 84, 89
BIDS: Final = ((16, 53), (44, 53), (16, 73), (44, 73))
BIDS_ABOVE: Final = 3  # of so many the lower ones lie where else the unit is written
LINES: Final = BOTTOM + 20  # where the players' lines begin
LINE: Final = 48
ROOM: Final = 354  # of the words on what a player holds
BESIDE, CARD, CARD_HIGH, CARDS = 612, 384, 92, 96  # on a wide screen: where players' cards begin, and their size
GAUGES: Final = ((0, 86), (94, 102), (204, 79))  # where those of `goals` begin, and how wide they are
ROUNDS: Final = ("bid", "apply", "expand")  # phases in which one acts after the other
STEP: Final = WIDTH / len(STEPS)
MOST_TEMPLATES: Final = 4  # kinds in a hand that lie where the tiles up for bid did


def template_places(hand: Sequence[str]) -> dict[str, str]:
    """Return where each kind lies while it is to be placed."""
    return {kind: f"template:{kind}" for kind in list(dict.fromkeys(hand))[:MOST_TEMPLATES]}


def slim_height(players: int) -> int:
    return LINES + LINE * players + 38


def slim_lines(players: int) -> dict[str, Place]:
    """A line for each player below the board."""
    lines = {
        part: Place(x, LINES)
        for part, x in {"slim-plate": 0, "seat": 0, "stands": 184, "holds": 0, "slim-place": 0}.items()
    }
    tiles = rows("tiles", players, Place(WIDTH, LINES), LINE)
    of_players = {
        name: spot for part, place in lines.items() for name, spot in rows(part, players, place, LINE).items()
    }
    return {"slim-key": Place(0, slim_height(players) - 24), **tiles, **of_players}


def wide_cards(players: int) -> dict[str, Place]:
    """Place beside the board who is asked, and a card for each player with its three lines under each other."""
    lines = {
        "wide-plate": (0, 0),
        "wide-way": (0, 2),
        "seat": (0, 2),
        "holds": (0, 44),
        "tiles": (CARD, 44),
        "wide-place": (0, 0),
    }
    of_players: dict[str, Place] = {}
    for part, (x, y) in lines.items():
        of_players |= rows(part, players, Place(BESIDE + x, CARDS + y), CARD_HIGH + 6)
    of_players |= rows("stands", players, Place(BESIDE + 12, CARDS + 28, 1.28), CARD_HIGH + 6)
    head = {"turn": Place(BESIDE - 4, 0), "order": Place(WIDE[0] - WIDTH, 28), "asked": Place(BESIDE - 4, 14)}
    return {**head, "wide-key": Place(BESIDE, WIDE[1] - 42), **of_players}


# --- above the board -----------------------------------------------------------------------------------------------


def turn(position: Position) -> Markup:
    when = (
        say("Turn %(turn)s of %(max_turns)s", turn=position.turn, max_turns=position.options.max_turns)
        if position.turn
        else say("Before the first turn")
    )
    overseer = (
        ""
        if position.overseer is None
        else group(
            tooltip(say("The Overseer bid most for it, and names the order of turns")),
            text(say("Overseer"), 196, 20, "faint end"),
            seat_piece(position.overseer, position.overseer, 212, 15),
        )
    )
    return text(when, 8, 20, "title") + overseer


def order(position: Position) -> Markup:
    """Draw who acts after whom; between the phases, who comes first where bids for oversight are equal."""
    rounds = phase(position) in ROUNDS
    seats = position.live if rounds else position.priority
    start = WIDTH - 14 - 26 * (len(seats) - 1)
    tokens = [seat_piece(seat, seat, start + 26 * place, 15) for place, seat in enumerate(seats)]
    words = "The order of turns" if rounds else "Of equal bids for oversight that of the first of these wins"
    named = text(say("Order") if rounds else say("Ties go to"), start - 18, 20, "faint end")
    return group(tooltip(say(words)), named, *tokens)


def step_signs() -> Markup:
    return "".join(_step(number, "felt", "faint") for number in range(len(STEPS)))


def now(position: Position) -> Markup:
    """The step of the turn that is being played, upon the others."""
    number = turn_step(position)
    return _step(number, "sz-now", "sz-on-now") if number >= 0 else ""


def now_alone(position: Position) -> Markup:
    """The step, where there is no room for all of them."""
    if (number := turn_step(position)) < 0:
        return ""
    words = say("Step %(number)s of %(all)s: %(called)s", number=number + 1, all=len(STEPS), called=say(STEPS[number]))
    return text(words, 8, 43, "strong")


def _step(number: int, ground: str, ink: str) -> Markup:
    box = rect(STEP * number + 1, 30, STEP - 2, 18, ground, rx=4)
    name = squeeze(say(STEPS[number]), STEP * (number + 0.5), 43, STEP - 6, f"small middle {ink}", 6)
    return group(tooltip(say(HAPPENS[number])), box, name)


def question(position: Position, names: Sequence[str]) -> Markup:
    """Draw who is asked, and what; at the end, who has won."""
    seats = to_answer(position) or position.winners
    signs = [
        seat_piece(seat, seat, 19 + 26 * place, 63, words=seat_words(seat, names[seat]))
        for place, seat in enumerate(seats)
    ]
    x = 10 + 26 * len(seats)
    return group(*signs, squeeze(clip(phase_sentence(position, names), 60), x, 68, CARD - x, "sz-asked", 9.6))


# --- beside the board ----------------------------------------------------------------------------------------------


def lots(position: Position) -> dict[str, Markup]:
    """Four places for tiles up for bid, and the stack, face down."""
    up = [*position.lots, *[None] * DISPLAYED][:DISPLAYED]
    return {
        **{
            f"lot-{number}": group(
                _lot(position, number, lot), at=(LOTS, TOP + LOT_STEP * number), data_place=f"lot:{number}"
            )
            for number, lot in enumerate(up)
        },
        "stack": _stack(len(position.stack)),
    }


def _lot(position: Position, number: int, lot: Lot | None) -> Markup:
    """Counted from 1, as in the log."""
    if not lot:
        return rect(0, 0, LOT_WIDTH, LOT_HEIGHT, "sz-no-lot", rx=6)
    tile = rect(0, 0, LOT_WIDTH, LOT_HEIGHT, f"sz-{lot.tile} sz-lot", rx=6)
    sign = text(number + 1, 6, 14) + mark(lot.tile, LOT_WIDTH / 2, 16, f"sz-ink-{lot.tile}", 0.9)
    bids = sorted(((bid, -seat) for seat, bid in enumerate(lot.bids) if bid), reverse=True)
    tokens = [_bid(-seat, bid, place) for (bid, seat), place in zip(bids, BIDS, strict=False)]
    name = squeeze(NAMES[lot.tile], LOT_WIDTH / 2, 39, LOT_WIDTH - 4, "middle", 8)
    none = text(say("no bid"), LOT_WIDTH / 2, 62, "faint middle") if phase(position) == "bid" and not bids else ""
    unit = text("Clout", LOT_WIDTH / 2, 79, "small faint middle") if 0 < len(bids) < BIDS_ABOVE else ""
    return group(tooltip(does(lot.tile)), tile, sign, name, none, unit, *tokens)


def _bid(seat: Seat, bid: int, place: tuple[int, int]) -> Markup:
    return seat_piece(seat, bid, *place, words=say("Seat %(seat)s bids %(bid)s Clout", seat=seat, bid=bid))


def hand(position: Position) -> Markup:
    """The templates of who is to place one, where no tiles lie then."""
    if phase(position) != "apply":
        return ""
    mine: list[str] = [tile for seat in to_answer(position) for tile in position.templates[seat]]
    kinds = enumerate(template_places(mine).items())
    return "".join(_template(number, kind, mine.count(kind), place) for number, (kind, place) in kinds)


def _template(number: int, kind: str, count: int, place: str) -> Markup:
    tile = rect(0, 0, LOT_WIDTH, LOT_HEIGHT, f"sz-{kind} sz-lot", rx=6) + mark(
        kind, LOT_WIDTH / 2, 24, f"sz-ink-{kind}"
    )
    name = squeeze(NAMES[kind], LOT_WIDTH / 2, 52, LOT_WIDTH - 4, "middle", 8)
    copies = text(f"×{count}", LOT_WIDTH / 2, 72, "middle") if count > 1 else ""
    return group(tooltip(does(kind)), tile, name, copies, at=(LOTS, TOP + LOT_STEP * number), data_place=place)


def _stack(left: int) -> Markup:
    back = rect(0, 0, LOT_WIDTH, 30, "back" if left else "sz-no-lot", rx=6)
    return group(
        tooltip(say("%(left)s tiles, face down", left=left)),
        back,
        text(say("%(left)s left", left=left), LOT_WIDTH / 2, 20, "middle"),
        at=(LOTS, TOP + LOT_STEP * DISPLAYED + 3),
    )


# --- below the board -----------------------------------------------------------------------------------------------


def key(columns: int, pitch: int) -> Markup:
    """The signs by their names."""
    named = [(tile, "Critical Node" if tile == "N" else name) for tile, name in NAMES.items()]
    return "".join(_key(*divmod(number, columns), pitch, *entry) for number, entry in enumerate(named))


def _key(row: int, column: int, pitch: int, tile: str, name: str) -> Markup:
    x, y = 14 + pitch * column, 18 * row
    return group(tooltip(does(tile)), mark(tile, x, y - 4, f"sz-ink-{tile}", 0.6), text(name, x + 13, y, "faint"))


def players(position: Position, names: Sequence[str], ranking: Sequence[Standing]) -> dict[str, Markup]:
    """Parts for each: whether it is asked, who it is, how it stands, what it holds, and what one clicks for it."""
    income, way, out = _income(position), worth(position), dict[str, Markup]()
    for seat, standing in enumerate(ranking):
        frame = "plate chosen" if seat in to_answer(position) or seat in position.winners else "plate"
        out[f"wide-plate-{seat}"] = rect(0, 1, CARD, CARD_HIGH, frame, rx=6)
        out[f"slim-plate-{seat}"] = rect(2, 1, WIDTH - 4, LINE - 4, frame, rx=6)
        piece = seat_piece(seat, seat, 20, 16, words=seat_words(seat, names[seat]))
        out[f"seat-{seat}"] = piece + text(shorten(names, seat, 16), 36, 20, "sz-name")
        victory = say("%(percent)s %% of a victory", percent=decimal(f"{way[seat]:g}"))
        counts = tooltip(say("On the way on which it is farthest; Clout that it bids still counts"))
        out[f"wide-way-{seat}"] = group(counts, text(victory, CARD - 12, 20, "small faint end"))
        out[f"stands-{seat}"] = _gauges(position, seat, standing)
        out[f"holds-{seat}"] = _holds(position, seat, standing, income[seat])
        out[f"tiles-{seat}"] = _tiles(position, seat)
        out[f"wide-place-{seat}"] = rect(0, 1, CARD, CARD_HIGH, "hit", rx=6, data_place=f"player:{seat}")
        out[f"slim-place-{seat}"] = rect(2, 1, WIDTH - 4, LINE - 4, "hit", rx=6, data_place=f"player:{seat}")
    return out


def _income(position: Position) -> list[float]:
    """Return each seat's next income on average, if nothing changed."""
    production, commerce = forecast(position)
    return [
        position.options.base_income + sure + rolled / DIE for sure, rolled in zip(production, commerce, strict=True)
    ]


def goals() -> list[str]:
    return ["Clout", say("Sectors"), say("Nodes")]


def victory_progress(position: Position, seat: Seat, standing: Standing) -> list[tuple[int, int]]:
    """The three to win: how much a seat has, and how much it takes."""
    options = position.options
    nodes = standing.nodes if options.critical_rule == "exclusive" else _present(position, seat)
    return [(standing.clout, options.clout_goal), (standing.sectors, options.sector_goal), (nodes, NODES)]


def worth(position: Position) -> list[float]:
    """How far each is on the way to a victory on which it is farthest: Clout, sectors or Critical Nodes.

    Clout on a tile is the bidder's as long as the bids go on.
    """
    bid = [bid_by(position, seat) for seat in range(position.options.players)]
    with_bids = [
        standing._replace(clout=standing.clout + more) for standing, more in zip(standings(position), bid, strict=True)
    ]
    ways = (victory_progress(position, seat, standing) for seat, standing in enumerate(with_bids))
    return [max(_percent(*way) for way in of_seat) for of_seat in ways]


def bid_by(position: Position, seat: Seat) -> int:
    """Return how much Clout the seat has on the tiles up for bid."""
    return sum(lot.bids[seat] for lot in position.lots)


def _percent(has: int, goal: int) -> float:
    return round(100 * has / goal, 1)


def _present(position: Position, seat: Seat) -> int:
    """Count the Critical Nodes on which the seat has agents."""
    return sum(zone == "N" and agents > 0 for zone, agents in zip(position.zones, position.agents[seat], strict=True))


def _gauges(position: Position, seat: Seat, standing: Standing) -> Markup:
    return "".join(map(_gauge, GAUGES, goals(), victory_progress(position, seat, standing)))


def _gauge(place: tuple[int, int], name: str, progress: tuple[int, int]) -> Markup:
    (x, wide), (has, goal) = place, progress
    percent = decimal(f"{_percent(has, goal):g}")
    part = tooltip(say("%(has)s of %(goal)s to win: %(percent)s %% of a victory", has=has, goal=goal, percent=percent))
    words = text(name, x, 15, "faint") + text(f"{has}/{goal}", x + wide, 15, "strong end")
    full = rect(x, 20, round(wide * min(1, has / goal), 1), 6, "sz-full", rx=2) if has else ""
    return group(part, words, rect(x, 20, wide, 6, "felt", rx=2), full)


def _holds(position: Position, seat: Seat, standing: Standing, income: float) -> Markup:
    """Agents and what the next income would be, or offers while they are open."""
    offers = [
        say("offers %(give)s to %(to)s for %(want)s", give=_goods(offer.give), to=offer.to, want=_goods(offer.want))
        for offer in position.offers
        if offer.by == seat
    ]
    out = phase(position) in ("bid", "expand") and seat not in position.live
    word = say("wins; ") if seat in position.winners else say("passed; ") if out else ""
    holds = "; ".join(offers) or say(
        "%(word)s%(agents)s agents, next income about %(income)s Clout",
        word=word,
        agents=standing.agents,
        income=f"{income:.3g}",
    )
    sources = say(
        "%(base)s for all, and from sectors: 3 of Production, a die’s roll of Commerce",
        base=position.options.base_income,
    )
    words = squeeze(clip(holds, 60), 12, 39, ROOM - 19 * len(_in_hand(position, seat)), "faint", 7.6)
    return words if offers else group(tooltip(sources), words)


def _in_hand(position: Position, seat: Seat) -> str:
    return "H" * position.hackers[seat] + "V" * position.viruses[seat] + "".join(position.templates[seat])


def _tiles(position: Position, seat: Seat) -> Markup:
    """The tiles in hand, to the left of where the part lies."""
    tiles = _in_hand(position, seat)
    return "".join(
        group(tooltip(does(tile)), mark(tile, -16 - 19 * place, 35, f"sz-ink-{tile}", 0.65))
        for place, tile in enumerate(tiles)
    )


def _goods(goods: Goods) -> str:
    counted = {"Clout": goods.clout, "Hacker": goods.hackers, "Virus": goods.viruses}
    counts = [f"{number} {name}" for name, number in counted.items() if number]
    return say(" and ").join([*counts, *(NAMES[tile] for tile in goods.templates)]) or say("nothing")
