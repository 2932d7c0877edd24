"""Budgets are listed in the docs, enforced where they say, and counted so that nobody gets more at once."""

import importlib
import inspect
import re
from datetime import timedelta
from threading import Thread
from types import ModuleType
from typing import Any

import pytest
from django.db import connection, transaction
from django.utils import timezone

from tests import budgets
from tournaments.core.accounts.spending import budget_left, forget_ended_periods, spend_budget
from tournaments.core.config.budgets import BUDGETS, RESOURCES, Budget, declare
from tournaments.core.errors import Refused
from tournaments.models import Spending
from tournaments.web.server.request_rates import Rate

SMALL = Budget("small", "Texts", 5, "letters", "a person", "", "at most %(most)s letters an hour", seconds=3600)

QUOTAS = re.findall(
    r"^([A-Z_]+(?:_A_DAY|_OPEN|_AN_OWNER|_A_PERSON|_A_SPACE|_STREAMS|_REQUESTS|_THREADS)) =",
    (budgets.ROOT / "tournaments" / "settings.py").read_text(),
    re.MULTILINE,
)


def test_the_page_lists_every_budget() -> None:
    budgets.load_all()
    assert budgets.PAGE.read_text() == budgets.written(), "python3 -m tests.budgets writes it"


def test_every_budget_is_enforced_by_the_function_that_it_names() -> None:
    budgets.load_all()
    for budget in BUDGETS.values():
        module, function = _function(budget.where)
        names = {name for name, value in vars(module).items() if value is budget}
        assert any(name in inspect.getsource(function) for name in names), budget


def _function(where: str) -> tuple[ModuleType, Any]:
    path = where.split(".")
    split = next(number for number in range(len(path), 0, -1) if _is_module(".".join(path[:number])))
    module = importlib.import_module(".".join(path[:split]))
    function: Any = module
    for name in path[split:]:
        function = getattr(function, name)
    return module, function


def _is_module(name: str) -> bool:
    try:
        return importlib.util.find_spec(name) is not None
    except ModuleNotFoundError:
        return False


def test_every_other_limit_is_enforced_where_the_table_says() -> None:
    for limit in budgets.limits():
        name = next(part for part in limit.constant.split(".") if part.isupper())
        assert re.search(rf"\b{name}\b", budgets.source(limit.function)), limit
        assert limit.as_budget().most > 0
        assert limit.resource in RESOURCES
        assert limit.setting.endswith(name) or not limit.setting


def test_every_rate_is_in_the_table() -> None:
    """But for that of pages, whose number is a setting."""
    rates = {
        f"{'.'.join(path.relative_to(budgets.ROOT / 'tournaments').with_suffix('').parts)}.{name}"
        for path in (budgets.ROOT / "tournaments").rglob("*.py")
        for name in re.findall(r"^([A-Z_]+)(?:: Final)? = Rate\(", path.read_text(), re.MULTILINE)
    }
    assert rates == {limit.constant for limit in budgets.limits() if isinstance(limit.value, Rate)}


def test_every_number_that_is_a_setting_is_in_the_table() -> None:
    budgets.load_all()
    listed = {limit.setting for limit in budgets.limits()} | {budget.setting for budget in BUDGETS.values()}
    for name in QUOTAS:
        assert name in listed, name


def test_no_two_rows_have_one_name() -> None:
    budgets.load_all()
    names = [name.casefold() for name in (*BUDGETS, *(limit.budget for limit in budgets.limits()))]
    assert len(names) == len(set(names))


def test_a_budget_is_declared_once() -> None:
    budgets.load_all()
    with pytest.raises(ValueError, match="twice"):
        declare(next(iter(BUDGETS.values())))


@pytest.mark.django_db
def test_nobody_takes_more_than_the_budget_in_a_period() -> None:
    for _ in range(5):
        spend_budget(SMALL, "ada")
    with pytest.raises(Refused, match="at most 5 letters an hour") as refused:
        spend_budget(SMALL, "ada")
    assert (refused.value.code, budget_left(SMALL, "ada"), budget_left(SMALL, "ben")) == ("over_budget", 0, 5)


@pytest.mark.django_db
def test_an_amount_that_does_not_fit_takes_nothing() -> None:
    spend_budget(SMALL, "ada", 3)
    for amount in (3, 6):
        with pytest.raises(Refused):
            spend_budget(SMALL, "ada", amount)
    assert budget_left(SMALL, "ada") == 2


@pytest.mark.django_db
def test_what_is_rolled_back_is_not_counted() -> None:
    with transaction.atomic():
        spend_budget(SMALL, "ada")
        transaction.set_rollback(True)
    assert budget_left(SMALL, "ada") == 5


@pytest.mark.django_db(transaction=True)
def test_many_at_once_do_not_get_more_together() -> None:
    granted: list[bool] = []

    def take() -> None:
        try:
            spend_budget(SMALL, "ada")
            granted.append(True)
        except Refused:
            granted.append(False)
        finally:
            connection.close()

    threads = [Thread(target=take) for _ in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(granted) == [False] * 7 + [True] * 5


@pytest.mark.django_db
def test_a_new_period_begins_at_nothing_and_ended_ones_are_forgotten() -> None:
    spend_budget(SMALL, "ada", 5)
    Spending.objects.update(until=timezone.now() - timedelta(seconds=1))
    spend_budget(SMALL, "ada", 5)
    assert (forget_ended_periods(), Spending.objects.count()) == (1, 1)
