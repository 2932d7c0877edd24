"""The steps at which a run of faults stops a process."""

from pkgutil import resolve_name

import pytest

from tests.faults.steps import STEPS, Step


@pytest.mark.parametrize("step", STEPS, ids=lambda step: step.name)
def test_each_step_names_a_function_of_the_product(step: Step) -> None:
    assert callable(resolve_name(step.function))
