"""Budgets: how much of a resource that all share somebody may take. Each is declared beside the code that enforces it.

`docs/budgets.md` is made from them by `python3 -m tests.budgets`.
"""

import os
from dataclasses import dataclass, replace
from typing import Final

from tournaments.core.errors import Refused
from workers.settings_numbers import whole_number

RESOURCES: Final = (
    *("Requests and pages", "Texts", "Public log", "Actions and notices", "Letters"),
    *("Bots and uploads", "Matches", "Checks and builds", "Workers and broker", "Disk"),
)
LARGEST = 10**12  # that a setting may say


@dataclass(frozen=True, slots=True)
class Budget:
    """`most` of `unit` for each `holder`, and, with `seconds`, in each period of so many.

    `sentence` says so to whom asks for more; `%(most)s` in it is the number. `where` is the function that enforces it,
    before the work. An environment variable `setting` changes `most`.
    """

    name: str
    resource: str
    most: int
    unit: str
    holder: str
    where: str
    sentence: str
    seconds: int = 0
    setting: str = ""

    def refusal(self, code: str = "over_budget") -> Refused:
        """Return the refusal for whoever asks for more."""
        return Refused(code, str(self.sentence), most=f"{self.most:,}")

    def check(self, amount: int, code: str = "over_budget") -> None:
        """Raise the refusal if `amount` is more than the budget."""
        if amount > self.most:
            raise self.refusal(code)


BUDGETS: dict[str, Budget] = {}  # those declared so far, by name


def declare(budget: Budget) -> Budget:
    """Return the budget as the environment sets it, after listing it. Raises ValueError with the reason."""
    if budget.name in BUDGETS or budget.resource not in RESOURCES:
        raise ValueError(f"The budget {budget.name!r} is declared twice, or of a resource that has no name.")
    if budget.setting:
        budget = replace(budget, most=whole_number(os.environ, budget.setting, budget.most, LARGEST))
    BUDGETS[budget.name] = budget
    return budget
