"""`docs/budgets.md`, made from the budgets that the code declares: `python3 -m tests.budgets` writes it."""

import importlib
import re
from collections.abc import Iterator
from pathlib import Path

from tournaments.config.budgets import BUDGETS, RESOURCES, Budget

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "budgets.md"
DECLARES = re.compile(r"\bdeclare\(")
HEAD = """# Budgets

What is listed here is counted before it is used; the list is not complete yet. Whoever asks for more gets the
sentence in the last column, and nothing is changed. A name in `CAPITALS` is an
[environment variable](reference.md#environment) that changes the number.
"""
COLUMNS = "| what | at most | for each | enforced in | what one is told |\n|---|---|---|---|---|\n"
PERIODS = {60: "a minute", 600: "in ten minutes", 3600: "an hour", 86_400: "a day"}


def load_all() -> None:
    """Import every module that declares a budget."""
    for path in sorted((ROOT / "tournaments").rglob("*.py")):
        if DECLARES.search(path.read_text()):
            importlib.import_module(".".join(path.relative_to(ROOT).with_suffix("").parts))


def written() -> str:
    """Return the page."""
    return HEAD + "".join(map(chapter, RESOURCES))


def chapter(resource: str) -> str:
    rows = sorted(row(budget) for budget in BUDGETS.values() if budget.resource == resource)
    return f"\n## {resource}\n\n{COLUMNS}{''.join(rows)}" if rows else ""


def row(budget: Budget) -> str:
    return f"| {' | '.join(cells(budget))} |\n"


def cells(budget: Budget) -> Iterator[str]:
    period = f" {PERIODS[budget.seconds]}" if budget.seconds else ""
    setting = f" (`{budget.setting}`)" if budget.setting else ""
    yield budget.name.capitalize() + setting
    yield f"{budget.most:,} {budget.unit}{period}"
    yield budget.holder
    yield f"`{budget.where.removeprefix('tournaments.')}`"
    yield str(budget.refusal().detail)


if __name__ == "__main__":
    import django

    django.setup()
    load_all()
    PAGE.write_text(written())
