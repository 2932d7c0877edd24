"""A legal answer to every question of Shangzhou-Gold: see `bots/command/starters/first_answers.py`."""

from typing import Final

ALWAYS: Final = '"gifts":[],"uses":[],"say":[]'  # what every answer has
FIRST_ANSWERS: Final = {
    "home": f'{{"t":"home",{ALWAYS},"sector":$places.0}}',
    "window": f'{{"t":"window",{ALWAYS}}}',
    "oversight": f'{{"t":"oversight",{ALWAYS},"amount":0}}',
    "offers": f'{{"t":"offers",{ALWAYS},"offers":[]}}',
    "accept": f'{{"t":"accept",{ALWAYS},"offers":[]}}',
    "order": f'{{"t":"order",{ALWAYS},"seats":#seats}}',
    "bid": f'{{"t":"pass",{ALWAYS}}}',
    "apply": f'{{"t":"apply",{ALWAYS},"template":$besides.hand.templates.0,"sector":$sectors.0}}',
    "expand": f'{{"t":"pass",{ALWAYS}}}',
    "veto": f'{{"t":"veto",{ALWAYS},"bans":[]}}',
}
