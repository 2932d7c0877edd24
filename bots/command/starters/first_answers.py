"""For every question of a game a legal answer, as JSON with references: what a bot of any language begins with.

`$cards.0` is the first of the question's `cards`; `$besides.hand.templates.0` goes deeper; `#seats` is the numbers from
0 on, as many as `seats` has. A game from outside is not in here: its bots begin in Python.
"""

import re
from collections.abc import Iterator
from typing import Final

SHANGZHOU = '"gifts":[],"uses":[],"say":[]'
GIGABUCKS = '"resign":false,"talk":[]'
FIRST_ANSWERS: Final[dict[str, dict[str, str]]] = {
    "zaibatsu": {
        "place": '{"t":"place","card":$cards.0,"pile":$piles.0}',
        "call": '{"t":"call","pile":$piles.0}',
        "bid": '{"t":"bid","amount":0}',
    },
    "kaiju": {
        "turn": '{"t":"income","card":$row.0}',
        "product": '{"t":"product","card":$cards.0}',
        "sacrifice": '{"t":"sacrifice","card":$cards.0}',
        "prefab": '{"t":"prefab","card":null}',
        "insure": '{"t":"insure","card":null}',
        "suit": '{"t":"suit","suit":"C"}',
        "rival": '{"t":"rival","seat":$seats.0}',
        "takeover": "$targets.0",
    },
    "shangzhou": {
        "home": f'{{"t":"home",{SHANGZHOU},"sector":$places.0}}',
        "window": f'{{"t":"window",{SHANGZHOU}}}',
        "oversight": f'{{"t":"oversight",{SHANGZHOU},"amount":0}}',
        "offers": f'{{"t":"offers",{SHANGZHOU},"offers":[]}}',
        "accept": f'{{"t":"accept",{SHANGZHOU},"offers":[]}}',
        "order": f'{{"t":"order",{SHANGZHOU},"seats":#seats}}',
        "bid": f'{{"t":"pass",{SHANGZHOU}}}',
        "apply": f'{{"t":"apply",{SHANGZHOU},"template":$besides.hand.templates.0,"sector":$sectors.0}}',
        "expand": f'{{"t":"pass",{SHANGZHOU}}}',
        "veto": f'{{"t":"veto",{SHANGZHOU},"bans":[]}}',
    },
    "gigabucks": {
        "place": f'{{"t":"place",{GIGABUCKS},"space":$spaces.0}}',
        "bid": f'{{"t":"bid",{GIGABUCKS},"amount":0}}',
        "lines": f'{{"t":"lines",{GIGABUCKS},"add":{{"$corps.0":1}}}}',
        "offer": f'{{"t":"offer",{GIGABUCKS},"menu":[]}}',
        "cut": f'{{"t":"cut",{GIGABUCKS},"by":0}}',
        "pick": f'{{"t":"pick",{GIGABUCKS},"corp":$corps.0}}',
        "choose": f'{{"t":"choose",{GIGABUCKS},"bundle":$bundles.0}}',
    },
    "network": {
        "turn": '{"t":"pass"}',
        "bid": '{"t":"bid","amount":0}',
        "build": '{"t":"stop"}',
    },
}
REFERENCE = re.compile(r"([$#])([a-z_.0-9]+)")


def parts(answer: str) -> Iterator[tuple[str, list[str]]]:
    """An answer piece by piece: ("", [text]), ("$", path) or ("#", path)."""
    done = 0
    for match in REFERENCE.finditer(answer):
        if before := answer[done : match.start()]:
            yield "", [before]
        yield match[1], match[2].split(".")
        done = match.end()
    if ending := answer[done:]:
        yield "", [ending]
