"""What lies before each player: bank, wheels, Buildings, New Products, and what they come to."""

from collections.abc import Sequence
from typing import Final

from engine.core import Seat
from engine.games.kaiju import COMPANY, SUITS, Position, attackable, majority_vp, product_vp, vp
from engine.games.kaiju.pieces import CITIES_VP, PAYS_ON
from engine.games.kaiju.scoring import cities
from tournaments.viewer.boards.kaiju.cards import TILE, TILE_HIGH, tag, tile
from tournaments.viewer.boards.kaiju.wheels import tracks
from tournaments.viewer.boards.kaiju.words import actor
from tournaments.viewer.boards.lettering import squeeze
from tournaments.viewer.svg import Markup, badge, clip, element, group, rect, text

WIDE, HIGH = 404, 116
ORDER: Final = {suit + timing: place for place, (suit, timing) in enumerate((s, t) for s in SUITS for t in "YR")}


def plate(at: Position, seat: Seat) -> Markup:
    """The ground of all that lies before the player, in a frame if it is asked."""
    return rect(-4, 0, WIDE + 8, HIGH - 4, f"felt{' chosen' if seat == actor(at) else ''}", rx=8)


def player(at: Position, seat: Seat, name: str) -> Markup:
    """Who it is: this stays as it is."""
    company = COMPANY[at.players[seat].company]
    return group(
        rect(-4, 8, 3, HIGH - 20, f"seat-{seat}"),
        badge(seat, 14, 15),
        squeeze(clip(name, 20), 30, 20, 122, "strong", 8),
        squeeze(f"{company.city} · {company.name}", 4, 38, 152, "small faint"),
        tracks(),
        text("VP", WIDE, 17, "small faint end"),
    )


def points(at: Position, seat: Seat) -> Markup:
    """Victory points as if the game ended now, and those that are not for New Products."""
    majority = majority_vp(at.players, seat, at.options.city_majority)
    towns = cities(at.players[seat].tableau)
    besides = [f"{towns} {'city' if towns == 1 else 'cities'} {CITIES_VP[towns]}"]
    besides += [f"majority {majority}"] * bool(majority)
    total = vp(at.players, seat, at.options.city_majority)
    return group(
        text(total, WIDE - 22, 17, "title end"),
        *(text(words, WIDE, 29 + 12 * line, "small faint end") for line, words in enumerate(besides)),
    )  # fmt: skip


def tableau(at: Position, seat: Seat) -> Markup:
    """The Buildings by suit and timing; those that an attack may take stand out."""
    cards = sorted(at.players[seat].tableau, key=lambda card: ORDER[PAYS_ON[card]])
    hunted = at.owed and at.owed.seat == seat and not at.owed.products and at.owed.attacks
    marked = attackable(at.threat, at.players[seat]) if hunted else []
    return _in_line([
        tile(card) + (rect(0, 0, TILE, TILE_HIGH, "kj-aim", rx=5) if card in marked else "") for card in cards
    ])  # fmt: skip


def products(at: Position, seat: Seat) -> Markup:
    me = at.players[seat]
    return _in_line([tag(card, product_vp(card, me.tableau)) for card in me.products])


def _in_line(tiles: Sequence[Markup]) -> Markup:
    """Side by side, made smaller where there are more than find room."""
    pitch = TILE + 0.4
    scale = min(1.0, WIDE / (pitch * max(1, len(tiles))))
    placed = "".join(group(it, at=(round(pitch * place, 1), 0)) for place, it in enumerate(tiles))
    return element("g", placed, transform=f"scale({scale:.3g})") if scale < 1 else placed
