"""Errors cross processes as they were raised."""

import copy
import pickle

import pytest

from bots.archive import BundleError
from bots.command.errors import FAILED, KitError
from bots.contest import ContestError
from bots.environments.encoding import EnvironmentRefused
from bots.refusals import Refused, SubmitError
from bots.sequential_test import BadTest
from bots.viewer.answer_forms.form import FormError
from engine.core import IllegalAction
from engine.luck_value import LuckError
from engine.records import RecordError
from engine.replay import ReplayError
from engine.season_file import SeasonError
from engine.seeds import ProofError
from engine.sentences import Sentence

CODED = [
    BundleError,
    ContestError,
    EnvironmentRefused,
    FormError,
    KitError,
    LuckError,
    ProofError,
    ReplayError,
    SeasonError,
]
ERRORS = [
    *(kind("a_code", "100 % of it") for kind in (*CODED, BadTest, Refused, SubmitError)),
    Refused("no_room", "there is no room for %(count)s bots", count=7),
    ReplayError("differs", "answer %(number)s", number=3),
    KitError("cannot_play", "a match cannot be played", FAILED),
    IllegalAction(2, Sentence("must be %(least)s", least=1)),
    RecordError(Sentence("must be %(least)s", least=1)),
]


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: type(error).__name__)
def test_an_error_is_the_same_in_another_process(error: Exception) -> None:
    for again in (pickle.loads(pickle.dumps(error)), copy.copy(error), copy.deepcopy(error)):  # noqa: S301  our own
        assert (type(again), str(again), vars(again)) == (type(error), str(error), vars(error))
