"""Tender for people: the board, what is said, and the form of an answer."""

from collections.abc import Sequence

from bots.viewer.answer_forms.form import Button, Form, Way
from bots.viewer.commentary.story import Chapter, Line
from bots.viewer.svg import Markup, Picture, badge, clip, group, rect, text
from engine.core import Event, Seat
from tender.rules import Offered, Position, Settled, ToBid, scores
from tender.view import View

UNIT = "points"
WIDTH, TOP, HEIGHT, CARD = 720, 40, 64, 30


def draw(position: Position, names: Sequence[str], shown: frozenset[Seat]) -> Picture:
    """`shown` makes no difference: no seat has a secret of its own, and the deck is nobody's."""
    head = f"Contract {position.contract}" if position.contract else "No contract"
    parts = {"table": text(head, 0, 20, "title") + text(f"{len(position.deck)} to come", WIDTH, 20, "faint end")}
    parts |= {f"seat-{seat}": _seat(position, names, seat) for seat in range(len(names))}
    stands = ", ".join(f"{name} {score}" for name, score in zip(names, scores(position), strict=True))
    return Picture(WIDTH, TOP + len(names) * HEIGHT, parts, f"Tender. {head}. Points: {stands}.")


def _seat(position: Position, names: Sequence[str], seat: Seat) -> Markup:
    frame = rect(0, 0, WIDTH, HEIGHT - 8, "felt", rx=6)
    head = badge(seat, 16, 15) + text(clip(names[seat], 30), 32, 20, "strong")
    points = text(f"{sum(position.won[seat])} points", WIDTH - 10, 20, "strong end")
    notes = "".join(_note(note, 10 + place * (CARD + 4)) for place, note in enumerate(position.notes[seat]))
    return group(frame, head, points, notes, at=(0, TOP + seat * HEIGHT))


def _note(note: int, x: float) -> Markup:
    return rect(x, 28, CARD, 22, "plate", rx=3) + text(note, x + CARD / 2, 44, "middle")


def worth(position: Position) -> list[float]:
    return [float(score) for score in scores(position)]


def tell(event: Event, names: Sequence[str]) -> Line | Chapter | None:
    match event:
        case Offered(contract):
            return Chapter(f"Contract {contract}")
        case Settled(contract, bids, winner):
            notes = ", ".join(f"{name} {note}" for name, note in zip(names, bids, strict=True))
            taker = "Nobody" if winner is None else names[winner]
            return Line(f"{taker} gets contract {contract}. Bids: {notes}.", "key" if winner is not None else "")
    raise TypeError(f"Tender has no event {event!r}")


def ask(question: ToBid, view: View, names: Sequence[str]) -> Form:
    buttons = [Button(str(note), "note", note) for note in question.notes]
    return Form(
        f"Bid a note for contract {view.contract}. The highest that only one player bids takes it.",
        [Way("", {}, buttons)],
    )
