"""PettingZoo: a game as an AEC environment.

    env = env("zaibatsu", players=3)
    env.reset(seed=42)
    for agent in env.agent_iter():
        observation, reward, termination, truncation, info = env.last()
        ...
        env.step(action)

What PettingZoo's wrappers do is done here, where it costs less: an action that is not legal ends the match, with -1 for
whoever gave it and 0 for the others, and nothing can be done before `reset`.
"""

import secrets
from typing import Any

from bots.environments.extras import missing

try:  # before what says that its own packages come with another extra
    from pettingzoo import AECEnv
except ImportError as error:
    raise missing("pettingzoo", error) from None

from bots.environments.course import Course, rewards
from bots.environments.encoding import Encoding, EnvironmentRefused, encoding_of
from bots.environments.rendering import RENDER_MODES, checked_mode, rendered
from bots.environments.spaces import action_space, observation_space
from bots.environments.tensors import Observation, observation

ILLEGAL = -1.0  # the reward


def env(game: str, *, render_mode: str | None = "ansi", **options: Any) -> "GameEnv":
    """The environment of a game with these options. Raises EnvironmentRefused."""
    return GameEnv(encoding_of(game, options), render_mode)


class GameEnv(AECEnv[str, Observation, int]):
    """Agents are `seat_0`, `seat_1` and so on. Rewards come at the end: see `course.rewards`."""

    def __init__(self, encoding: Encoding, render_mode: str | None = "ansi") -> None:
        super().__init__()
        self.encoding = encoding
        game, seats = encoding.game, range(encoding.options.players)
        self.metadata = {
            "name": f"{game.name}_v{game.version}",
            "render_modes": [*RENDER_MODES],
            "is_parallelizable": False,
        }
        self.render_mode = checked_mode(render_mode)
        self.possible_agents = [f"seat_{seat}" for seat in seats]
        self.seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self.observation_spaces = {agent: observation_space(encoding) for agent in self.possible_agents}
        self.action_spaces = {agent: action_space(encoding) for agent in self.possible_agents}
        self.agents: list[str] = []
        self.course: Course | None = None
        self.seed, self.matches = "", 0

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """The same seed is the same deal, and so is the n-th reset after it. `options` are of the constructor."""
        del options
        if seed is not None or not self.seed:
            self.seed, self.matches = str(seed) if seed is not None else secrets.token_hex(16), 0
        self.course = Course.begin(self.encoding, f"{self.seed}/{self.matches}")
        self.matches += 1
        self.agents = agents = self.possible_agents[:]
        self.rewards: dict[str, float] = dict.fromkeys(agents, 0.0)
        self._cumulative_rewards: dict[str, float] = dict.fromkeys(agents, 0.0)
        self.terminations = dict.fromkeys(agents, False)
        self.truncations = dict.fromkeys(agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in agents}
        self.agent_selection = agents[self.course.seat]

    def step(self, action: int | None) -> None:
        course = self._begun()
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        if action is None or not course.may(chosen := int(action)):
            self._end([ILLEGAL * (other == agent) for other in self.possible_agents], {"illegal": agent})
            return
        course.act(chosen)
        if course.over:
            places = course.places()
            scores = self.encoding.game.scores(course.match.at)
            self._end(rewards(places), {"places": places, "scores": scores})
        else:
            self.agent_selection = self.possible_agents[course.seat]

    def _begun(self) -> Course:
        if self.course is None or not self.agents:
            raise EnvironmentRefused("not_begun", "no match is under way: call reset")
        return self.course

    def _end(self, earned: list[float], info: dict[str, Any]) -> None:
        """Give the rewards by seat. Every agent has one more step, with None."""
        self.rewards = dict(zip(self.possible_agents, earned, strict=True))
        self.terminations = dict.fromkeys(self.agents, True)
        self.infos = {agent: dict(info) for agent in self.agents}
        self._accumulate_rewards()
        self.agent_selection = self.agents[0]

    def observe(self, agent: str) -> Observation:
        if self.course is None:
            raise EnvironmentRefused("not_begun", "no match is under way: call reset")
        return observation(self.course, self.seats[agent])

    def observation_space(self, agent: str) -> Any:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        return self.action_spaces[agent]

    def render(self) -> Any:
        """The public position in a sentence or two, with the mode "ansi"."""
        return rendered(self._begun(), self.render_mode)

    def close(self) -> None:
        """Nothing is held."""

    def __str__(self) -> str:
        return str(self.metadata["name"])
