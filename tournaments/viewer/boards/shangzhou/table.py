"""What lies beside the board: the turn and its order, the tiles up for bid, and a line for each player."""

from collections.abc import Sequence
from typing import Final

from engine.core import Seat
from engine.games.shangzhou import Goods, Lot, Position, Standing, forecast
from engine.games.shangzhou.pieces import DIE, DISPLAYED, NODES
from tournaments.viewer.boards.shangzhou.marks import NAMES, mark, token
from tournaments.viewer.boards.shangzhou.phases import STEPS, phase, sentence, step, to_answer
from tournaments.viewer.boards.shangzhou.sectors import BOTTOM, TOP
from tournaments.viewer.svg import Markup, clip, group, rect, shorten, text

WIDTH: Final = 480
LOTS, LOT_WIDTH, LOT_HEIGHT, LOT_STEP = 416, 62, 84, 89
BIDS: Final = ((16, 53), (44, 53), (16, 73), (44, 73))
LINES: Final = BOTTOM + 20  # where the players' lines begin
LINE: Final = 48
ROUNDS: Final = ("bid", "apply", "expand")  # phases in which one acts after the other
STEP: Final = WIDTH / len(STEPS)


def height(players: int) -> int:
    return LINES + LINE * players + 38


# --- above the board -----------------------------------------------------------------------------------------------


def turn(at: Position) -> Markup:
    when = f"Turn {at.turn} of {at.options.max_turns}" if at.turn else "Before the first turn"
    overseer = (
        "" if at.overseer is None else text("Overseer", 196, 20, "faint end") + token(at.overseer, at.overseer, 212, 15)
    )
    return text(when, 8, 20, "title") + overseer


def order(at: Position) -> Markup:
    """Who acts after whom; between the phases, who comes first where bids for oversight are equal."""
    rounds = phase(at) in ROUNDS
    seats = at.live if rounds else at.priority
    start = WIDTH - 14 - 26 * (len(seats) - 1)
    tokens = [token(seat, seat, start + 26 * place, 15) for place, seat in enumerate(seats)]
    return text("Order" if rounds else "Ties go to", start - 18, 20, "faint end") + group(*tokens)


def steps() -> Markup:
    return "".join(_step(number, "felt", "faint") for number in range(len(STEPS)))


def now(at: Position) -> Markup:
    """The step of the turn that is being played, upon the others."""
    number = step(at)
    return _step(number, "sz-now", "sz-on-now") if number >= 0 else ""


def _step(number: int, ground: str, ink: str) -> Markup:
    box = rect(STEP * number + 1, 30, STEP - 2, 18, ground, rx=4)
    return box + text(STEPS[number], STEP * (number + 0.5), 43, f"small middle {ink}")


def question(at: Position, names: Sequence[str]) -> Markup:
    """Who is asked, and what; at the end, who has won."""
    seats = to_answer(at) or at.winners
    signs = [token(seat, seat, 19 + 26 * place, 63) for place, seat in enumerate(seats)]
    return group(*signs, text(clip(sentence(at, names), 60), 10 + 26 * len(seats), 68, "sz-asked"))


# --- beside the board ----------------------------------------------------------------------------------------------


def lots(at: Position) -> dict[str, Markup]:
    """Four places for tiles up for bid, and the stack, face down."""
    up = [*at.lots, *[None] * DISPLAYED][:DISPLAYED]
    return {
        **{
            f"lot-{number}": group(_lot(number, lot), at=(LOTS, TOP + LOT_STEP * number))
            for number, lot in enumerate(up)
        },
        "stack": _stack(len(at.stack)),
    }


def _lot(number: int, lot: Lot | None) -> Markup:
    """Counted from 1, as in the log."""
    if not lot:
        return rect(0, 0, LOT_WIDTH, LOT_HEIGHT, "sz-no-lot", rx=6)
    tile = rect(0, 0, LOT_WIDTH, LOT_HEIGHT, f"sz-{lot.tile} sz-lot", rx=6)
    sign = text(number + 1, 6, 14, "small") + mark(lot.tile, LOT_WIDTH / 2, 16, f"sz-ink-{lot.tile}", 0.9)
    bids = sorted(((bid, -seat) for seat, bid in enumerate(lot.bids) if bid), reverse=True)
    tokens = [token(-seat, bid, *place) for (bid, seat), place in zip(bids, BIDS, strict=False)]
    return tile + sign + text(NAMES[lot.tile], LOT_WIDTH / 2, 39, "small middle") + "".join(tokens)


def _stack(left: int) -> Markup:
    back = rect(0, 0, LOT_WIDTH, 30, "back" if left else "sz-no-lot", rx=6)
    return group(back, text(f"{left} left", LOT_WIDTH / 2, 20, "middle"), at=(LOTS, TOP + LOT_STEP * DISPLAYED + 3))


# --- below the board -----------------------------------------------------------------------------------------------


def key() -> Markup:
    """The signs by their names, on two lines."""
    named = [(tile, "Critical Node" if tile == "N" else name) for tile, name in NAMES.items()]
    return "".join(_key(number, *it) for number, it in enumerate(named))


def _key(number: int, tile: str, name: str) -> Markup:
    x, y = 14 + 120 * (number % 4), 18 * (number // 4)
    return mark(tile, x, y - 4, f"sz-ink-{tile}", 0.6) + text(name, x + 13, y, "small faint")


def players(at: Position, names: Sequence[str], found: Sequence[Standing]) -> dict[str, Markup]:
    """Three parts for each: who it is and whether it is asked, how it stands, what it holds."""
    income, out = _income(at), {}
    for seat, its in enumerate(found):
        where = (0, LINES + LINE * seat)
        out[f"seat-{seat}"] = group(_who(at, seat, shorten(names, seat, 16)), at=where)
        out[f"stands-{seat}"] = group(_gauges(at, seat, its), at=where)
        out[f"holds-{seat}"] = group(_holds(at, seat, its, income[seat]), at=where)
    return out


def _income(at: Position) -> list[float]:
    """What each would have of the next one on average, if nothing changed."""
    production, commerce = forecast(at)
    return [at.options.base_income + sure + rolled / DIE for sure, rolled in zip(production, commerce, strict=True)]


def _who(at: Position, seat: Seat, name: str) -> Markup:
    busy = seat in to_answer(at) or seat in at.winners
    frame = rect(2, 1, WIDTH - 4, LINE - 4, "plate chosen" if busy else "plate", rx=6)
    return frame + token(seat, seat, 20, 16) + text(name, 36, 20, "sz-name")


def ways(at: Position, seat: Seat, its: Standing) -> dict[str, tuple[int, int]]:
    """The three to win: how much a seat has, and how much it takes."""
    goals = at.options
    nodes = its.nodes if goals.critical_rule == "exclusive" else _present(at, seat)
    return {
        "Clout": (its.clout, goals.clout_goal),
        "Sectors": (its.sectors, goals.sector_goal),
        "Nodes": (nodes, NODES),
    }


def _present(at: Position, seat: Seat) -> int:
    """On how many Critical Nodes it has agents."""
    return sum(zone == "N" and agents > 0 for zone, agents in zip(at.zones, at.agents[seat], strict=True))


def _gauges(at: Position, seat: Seat, its: Standing) -> Markup:
    return "".join(
        _gauge(200 + 93 * place, name, *way) for place, (name, way) in enumerate(ways(at, seat, its).items())
    )


def _gauge(x: int, name: str, has: int, goal: int) -> Markup:
    words = text(name, x, 15, "small faint") + text(f"{has}/{goal}", x + 86, 15, "strong end")
    full = rect(x, 20, round(86 * min(1, has / goal), 1), 6, "sz-full", rx=2) if has else ""
    return words + rect(x, 20, 86, 6, "felt", rx=2) + full


def _holds(at: Position, seat: Seat, its: Standing, income: float) -> Markup:
    """Agents and what the next income would be, or offers while they are open; and the tiles in hand."""
    offers = [f"offers {_goods(it.give)} to {it.to} for {_goods(it.want)}" for it in at.offers if it.by == seat]
    out = phase(at) in ("bid", "expand") and seat not in at.live
    word = "wins; " if seat in at.winners else "passed; " if out else ""
    holds = "; ".join(offers) or f"{word}{its.agents} agents, next income about {income:.3g}"
    tiles = "H" * at.hackers[seat] + "V" * at.viruses[seat] + "".join(at.templates[seat])
    marks = [mark(tile, WIDTH - 16 - 19 * place, 35, f"sz-ink-{tile}", 0.65) for place, tile in enumerate(tiles)]
    return text(clip(holds, 72 - 3 * len(tiles)), 12, 39, "small faint") + "".join(marks)


def _goods(goods: Goods) -> str:
    counted = {"Clout": goods.clout, "Hacker": goods.hackers, "Virus": goods.viruses}
    counts = [f"{number} {name}" for name, number in counted.items() if number]
    return " and ".join([*counts, *(NAMES[tile] for tile in goods.templates)]) or "nothing"
