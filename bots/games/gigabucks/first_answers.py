"""A legal answer to every question of Corporate Gigabucks: see `bots/command/starters/first_answers.py`."""

from typing import Final

ALWAYS: Final = '"resign":false,"talk":[]'  # what every answer has
FIRST_ANSWERS: Final = {
    "place": f'{{"t":"place",{ALWAYS},"space":$spaces.0}}',
    "bid": f'{{"t":"bid",{ALWAYS},"amount":0}}',
    "lines": f'{{"t":"lines",{ALWAYS},"add":{{"$corps.0":1}}}}',
    "offer": f'{{"t":"offer",{ALWAYS},"menu":[]}}',
    "cut": f'{{"t":"cut",{ALWAYS},"by":0}}',
    "pick": f'{{"t":"pick",{ALWAYS},"corp":$corps.0}}',
    "choose": f'{{"t":"choose",{ALWAYS},"bundle":$bundles.0}}',
}
