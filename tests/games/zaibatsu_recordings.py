"""The recorded games of Zaibatsu: each number of players, each option, faults."""

from tests.games.recording import Recording

RECORDINGS = {
    "zaibatsu-3": Recording({"players": 3}),
    "zaibatsu-2": Recording({"players": 2}),
    "zaibatsu-4": Recording({"players": 4}),
    "zaibatsu-first": Recording({"players": 3, "first": 2}),
    "zaibatsu-carry": Recording({"players": 2, "unsold": "carry"}),
    "zaibatsu-closed": Recording({"players": 4, "piles": "closed"}),
    "zaibatsu-carry-closed": Recording({"players": 3, "unsold": "carry", "piles": "closed"}),
    "zaibatsu-faults": Recording({"players": 3}, faults=True),
}
