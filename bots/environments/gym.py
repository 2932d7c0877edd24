"""Gymnasium: one seat of a game, against opponents of your choice.

    env = SeatEnv("zaibatsu", seat=0, opponents=["random", "marginal"])
    observation, info = env.reset(seed=42)
    observation, reward, terminated, truncated, info = env.step(action)

It is registered too: `gymnasium.make("boardroom/zaibatsu-v1", opponents="random")`, with the version of the rules.
"""

import secrets
from collections.abc import Sequence
from typing import Any

from bots.environments.course import Course, rewards
from bots.environments.encoding import ENCODED, Encoding, EnvironmentRefused, encoding_of
from bots.environments.extras import missing
from bots.environments.opponents import Opponent, Opponents
from bots.environments.rendering import RENDER_MODES, checked_mode, rendered
from bots.environments.spaces import action_space, observation_space
from bots.environments.tensors import Observation, mask, observation
from engine.games import GAMES

try:
    import gymnasium
except ImportError as error:
    raise missing("gymnasium", error) from None

ILLEGAL = -1.0  # the reward


class SeatEnv(gymnasium.Env[Observation, Any]):
    """The reward is that of `course.rewards`, at the end. An action that is masked ends the match with -1."""

    metadata: dict[str, Any] = {"render_modes": [*RENDER_MODES], "render_fps": 1}

    def __init__(
        self,
        game: str,
        *,
        seat: int = 0,
        opponents: Opponent | Sequence[Opponent] = "random",
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        """`opponents`: one for all other seats, or one for each in their order. Raises EnvironmentRefused."""
        self.encoding = encoding_of(game, options)
        self.render_mode = checked_mode(render_mode)
        self.seat = seat
        self.opponents = Opponents(self.encoding, seated(self.encoding, seat, opponents))
        self.observation_space = observation_space(self.encoding)
        self.action_space = action_space(self.encoding)
        self.course: Course | None = None

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """The same seed is the same deal, with the same opponents' draws."""
        super().reset(seed=seed, options=options)
        if seed is None and self._np_random is None:
            super().reset(seed=secrets.randbits(32))
        self.course = course = self.opponents.begin(str(self.np_random.integers(2**62)))
        self._until_asked(course)
        return observation(course, self.seat), {}

    def step(self, action: Any) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        course = self.course
        if course is None or course.over:
            raise EnvironmentRefused("not_begun", "no match is under way: call reset")
        if not course.may(chosen := int(action)):
            self.course = None
            self.opponents.leave()
            return observation(course, self.seat), ILLEGAL, True, False, {"illegal": chosen}
        course.act(chosen)
        self._until_asked(course)
        info: dict[str, Any] = {"faults": list(self.opponents.faults)} if self.opponents.faults else {}
        if not course.over:
            return observation(course, self.seat), 0.0, False, False, info
        self.opponents.leave()
        places = course.places()
        info |= {"places": places, "scores": self.encoding.game.scores(course.match.at)}
        return observation(course, self.seat), rewards(places)[self.seat], True, False, info

    def action_masks(self) -> Any:
        """Return the mask as `sb3-contrib` asks for it."""
        if self.course is None:
            raise EnvironmentRefused("not_begun", "no match is under way: call reset")
        return mask(self.course, self.seat).astype(bool)

    def render(self) -> Any:
        """The public position in a sentence or two, with the mode "ansi"."""
        if self.course is None:
            raise EnvironmentRefused("not_begun", "no match is under way: call reset")
        return rendered(self.course, self.render_mode)

    def _until_asked(self, course: Course) -> None:
        while not course.over and course.seat != self.seat:
            self.opponents.answer(course)

    def close(self) -> None:
        """The processes of bots end with it."""
        self.opponents.close()


def seated(encoding: Encoding, seat: int, opponents: Opponent | Sequence[Opponent]) -> dict[int, Opponent]:
    """Return who sits where."""
    players = encoding.options.players
    if not 0 <= seat < players:
        raise EnvironmentRefused("unknown_seat", f"seat must be 0 to {players - 1}, not {seat}")
    rivals = [other for other in range(players) if other != seat]
    named = [opponents] * len(rivals) if isinstance(opponents, str) or callable(opponents) else list(opponents)
    if len(named) != len(rivals):
        raise EnvironmentRefused("opponents", f"{len(rivals)} opponents sit at this table; {len(named)} are named")
    return dict(zip(rivals, named, strict=True))


for _name in ENCODED:
    gymnasium.register(f"boardroom/{_name}-v{GAMES[_name].version}", f"{__name__}:SeatEnv", kwargs={"game": _name})
