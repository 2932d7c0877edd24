"""OpenSpiel: to import this registers `boardroom_zaibatsu` and the others with `pyspiel`.

    game = pyspiel.load_game("boardroom_zaibatsu(players=3,deals=100,piles=closed)")

Parameters are the options of the game that are a number, a word or a flag by default, and `deals`.

Chance moves once, at the beginning: it draws one of `deals` deals, and all shuffles and dice follow from that. So a
state is its history, the same actions lead to the same state, and a clone has the same dice ahead of it: a search that
must not know them begins from its own `engine` position (docs/environments.md).
"""

from typing import Any, Final

from bots.environments.course import Course, rewards
from bots.environments.encoding import ENCODED, Encoding, EnvironmentRefused, encoding_of
from bots.environments.extras import missing
from bots.environments.tensors import vector
from engine.games import GAMES
from engine.records import canonical, to_plain

try:
    import numpy as np
    import pyspiel
except ImportError as error:
    raise missing("openspiel", error) from None

DEALS: Final = 100
MOST_DEALS: Final = 1_000_000  # chance lists them all
OF_A_SEAT: Final = (True, False, pyspiel.PrivateInfoType.SINGLE_PLAYER)


def type_of(name: str) -> Any:
    game, kind = GAMES[name], pyspiel.GameType
    return kind(
        short_name=f"boardroom_{name}",
        long_name=f"{game.title}, rules {game.version}",
        dynamics=kind.Dynamics.SEQUENTIAL,
        chance_mode=kind.ChanceMode.EXPLICIT_STOCHASTIC,
        information=kind.Information.IMPERFECT_INFORMATION,
        utility=kind.Utility.ZERO_SUM,
        reward_model=kind.RewardModel.TERMINAL,
        max_num_players=game.players[-1],
        min_num_players=game.players[0],
        provides_information_state_string=False,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=False,
        parameter_specification=parameters(name),
    )


def parameters(name: str) -> dict[str, Any]:
    """Return the game's parameters with their defaults."""
    plain = to_plain(GAMES[name].options())
    return {option: given for option, given in plain.items() if isinstance(given, int | str)} | {"deals": DEALS}


class BoardroomGame(pyspiel.Game):
    """A game with these options; those that are not named have their defaults."""

    def __init__(self, name: str, params: dict[str, Any] | None = None) -> None:
        given = parameters(name) | (params or {})
        options = {option: value for option, value in given.items() if option != "deals"}
        self.encoding, self.deals = encoding_of(name, options), given["deals"]
        if not 1 <= self.deals <= MOST_DEALS:
            raise EnvironmentRefused("bad_option", f"deals must be 1 to {MOST_DEALS:,}, not {self.deals}")
        info = pyspiel.GameInfo(
            num_distinct_actions=self.encoding.actions.size,
            max_chance_outcomes=self.deals,
            num_players=given["players"],
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=self.encoding.longest,
        )
        super().__init__(TYPES[name], info, given)

    def new_initial_state(self) -> "BoardroomState":
        return BoardroomState(self)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the game as OpenSpiel spells it: this module, which knows the games, is loaded with it."""
        return _loaded, (str(self),)

    def make_py_observer(self, iig_obs_type: Any = None, _params: Any = None) -> "Observer | None":
        """Return what a seat observes; no observer is of the public part alone, or of all that was before."""
        return Observer(self.encoding) if iig_obs_type is None or _kind(iig_obs_type) == OF_A_SEAT else None


def _loaded(spelled: str) -> Any:
    return pyspiel.load_game(spelled)


def _kind(of: Any) -> tuple[Any, ...]:
    """Return the fields of an observation type; these types of OpenSpiel's do not compare."""
    return of.public_info, of.perfect_recall, of.private_info


class BoardroomState(pyspiel.State):
    """Before the deal, and from then on a course."""

    def __init__(self, game: BoardroomGame) -> None:
        super().__init__(game)
        self.encoding, self.deals = game.encoding, game.deals
        self.course: Course | None = None

    def current_player(self) -> Any:
        if self.course is None:
            return pyspiel.PlayerId.CHANCE
        return pyspiel.PlayerId.TERMINAL if self.course.over else self.course.seat

    def _legal_actions(self, _player: int) -> list[int]:
        return sorted(self.course.legal()) if self.course else []

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return [(deal, 1 / self.deals) for deal in range(self.deals)]

    def _apply_action(self, action: int) -> None:
        if self.course is None:
            self.course = Course.begin(self.encoding, f"deal {action}")
        else:
            self.course.act(action)

    def _action_to_string(self, player: int, action: int) -> str:
        return f"deal {action}" if player == pyspiel.PlayerId.CHANCE else self.encoding.actions.spelled(action)

    def is_terminal(self) -> bool:
        return self.course is not None and self.course.over

    def returns(self) -> list[float]:
        if not self.is_terminal() or self.course is None:
            return [0.0] * self.encoding.options.players
        return rewards(self.course.places())

    def __str__(self) -> str:
        if self.course is None:
            return "before the deal"
        asked = "over" if self.course.over else f"seat {self.course.seat} is asked {canonical(self.course.question)}"
        held = canonical(list(self.course.held.items()))
        return f"{asked}; parts {self.course.parts}; held {held}; {canonical(self.course.match.at)}"


class Observer:
    """The observation of docs/environments.md as float32, whole and by its fields."""

    def __init__(self, encoding: Encoding) -> None:
        self.encoding = encoding
        self.tensor = np.zeros(encoding.size, np.float32)
        self.dict = {
            field.name: self.tensor[field.start : field.end].reshape(field.shape) for field in encoding.layout.fields
        }
        self.dict["question"] = self.tensor[encoding.layout.size :]

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the encoding: fields are views of the tensor, which copies of them would not be."""
        return Observer, (self.encoding,)

    def set_from(self, state: BoardroomState, player: int) -> None:
        self.tensor[:] = vector(state.course, player) if state.course else 0

    def string_from(self, state: BoardroomState, player: int) -> str:
        return " ".join(map(str, vector(state.course, player).tolist())) if state.course else "before the deal"


def game_name(name: str) -> type[BoardroomGame]:
    """A class for each game: that is what `pyspiel` keeps."""

    class Named(BoardroomGame):
        def __init__(self, params: dict[str, Any] | None = None) -> None:
            super().__init__(name, params)

    return Named


TYPES: Final = {name: type_of(name) for name in ENCODED}
for _name in ENCODED:
    pyspiel.register_game(TYPES[_name], game_name(_name))
