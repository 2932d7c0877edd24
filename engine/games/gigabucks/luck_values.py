"""Values of luck that are fixed: a season names one by its hash, so none of them ever changes.

The first is what this prints: `python3 -m tests.games.luck fit --sets 90 --players 2 3 4 5 --name gigabucks-house-1`.
"""

from typing import Final

from engine.luck_value import LuckValue

HOUSE_1: Final = LuckValue(
    name="gigabucks-house-1",
    game="gigabucks",
    features=[
        "purse",
        "short",
        "claim",
        "estate",
        "prey",
        "joined",
        "bidder",
        "danger",
        "income",
        "strain",
        "ruin",
        "poor",
    ],
    weights=[312, -580, -603, -654, -99, 356, 22, -145, 355, -50, -84, 12],
    hash="585dc1d3a5cde5658c809924fd34d4ef246f3245730a387a2063b5eeff6feff6",
)
VALUES: Final = (HOUSE_1,)
