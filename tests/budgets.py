"""`docs/budgets.md`, made from the budgets that the code declares and from `limits.csv`, which names other constants of
the code: `python3 -m tests.budgets` writes it.
"""

import ast
import csv
import importlib
import re
from pathlib import Path
from typing import Any, NamedTuple

from tournaments.core.config.budgets import BUDGETS, RESOURCES, Budget

ROOT = Path(__file__).parents[1]
PAGE, LIMITS = ROOT / "docs" / "budgets.md", ROOT / "tests" / "limits.csv"
SETTINGS = ROOT / "tournaments" / "settings.py"
DECLARES = re.compile(r"\bdeclare\(")
OTHER_ROOMS = ("bots", "engine", "workers", "tournaments")
HEAD = """# Budgets

What people, bots and workers share is limited. Beyond a limit a request is refused and nothing changes, unless the line
says what happens instead.

A name in `CAPITALS` is an [environment variable](reference.md#environment) that changes the number. Hours and days
begin at whole hours and at midnight UTC; "in 24 hours" looks back from the moment; requests come back one by one.
"""
REFUSES = re.compile(r"\d|come back later|try again|wait a moment|until some of it")
INSTEAD = re.compile(r"of a longer|as it was typed|the beginning|after that|no more orders|makes room")
CUT = re.compile(r"of (a longer (one|text)|more) (there is the beginning|the first [\d,]+ characters are stored)")
EVIDENT = ("text", "value")  # holders that the chapter names
PERIODS = {60: "a minute", 600: "in 10 minutes", 900: "in 15 minutes", 1800: "in 30 minutes"}
PERIODS |= {3600: "an hour", 86_400: "a day"}


class Limit(NamedTuple):
    """A line of `limits.csv`: a constant, and the function or class that enforces it, both with their modules."""

    resource: str
    budget: str
    constant: str
    setting: str
    unit: str
    holder: str
    function: str
    beyond: str

    @property
    def value(self) -> Any:
        """Return the number, or the `Rate`; of a setting, the number without one."""
        if self.constant.startswith("settings.") and self.setting:
            return int(re.findall(rf'"{self.setting}", (\d+)', SETTINGS.read_text())[0])
        module, names = parted(self.constant)
        value = importlib.import_module(module)
        for name in names:
            value = getattr(value, name)
        return value

    def as_budget(self) -> Budget:
        value = self.value
        most, seconds = getattr(value, "times", value), getattr(value, "seconds", 0)
        where = ".".join(filter(None, (parted(self.function)[0], *parted(self.function)[1])))
        words = (self.budget, self.resource, int(most), self.unit, self.holder, where, self.beyond)
        return Budget(*words, seconds, self.setting)


def parted(path: str) -> tuple[str, list[str]]:
    """Return the module that a path begins with, and the names in it that follow."""
    names = path.split(".")
    if names[0] not in OTHER_ROOMS:
        names = ["tournaments", *names]
    length = next(n for n in range(len(names), 0, -1) if ROOT.joinpath(*names[:n]).with_suffix(".py").is_file())
    return ".".join(names[:length]), names[length:]


def source(path: str) -> str:
    """Return the text of the function, class or module."""
    module, names = parted(path)
    text = ROOT.joinpath(*module.split(".")).with_suffix(".py").read_text()
    node: Any = ast.parse(text)
    for name in names:
        node = next(inner for inner in node.body if getattr(inner, "name", "") == name)
    return ast.get_source_segment(text, node) or text


def limits() -> list[Limit]:
    """Return the lines of `limits.csv`."""
    with LIMITS.open(newline="") as lines:
        return [Limit(*line) for line in csv.reader(lines, delimiter="|")][1:]


def load_all() -> None:
    """Import every module that declares a budget."""
    for path in sorted((ROOT / "tournaments").rglob("*.py")):
        if DECLARES.search(path.read_text()):
            importlib.import_module(".".join(path.relative_to(ROOT).with_suffix("").parts))


def written() -> str:
    """Return the page."""
    budgets = [*BUDGETS.values(), *(limit.as_budget() for limit in limits())]
    return HEAD + "".join(chapter(resource, budgets) for resource in RESOURCES)


def chapter(resource: str, budgets: list[Budget]) -> str:
    lines = sorted(line(budget) for budget in budgets if budget.resource == resource)
    return f"\n## {resource}\n\n{''.join(lines)}" if lines else ""


def line(budget: Budget) -> str:
    name = budget.name[:1].upper() + budget.name[1:]
    setting = f" (`{budget.setting}`)" if budget.setting else ""
    period = f" {PERIODS[budget.seconds]}" if budget.seconds else ""
    beyond = instead(str(budget.refusal().detail))
    return f"- {name}{setting}: {amount(budget)}{period}{holder(budget)}{beyond and f'; {beyond}'}\n"


def holder(budget: Budget) -> str:
    """Return whose budget it is, unless its name or chapter says so."""
    named = budget.holder in EVIDENT or re.search(rf"\b{budget.holder}\b", budget.name)
    return "" if named else f" per {budget.holder}"


def instead(sentence: str) -> str:
    """Return what happens instead of a refusal, if anything does."""
    clauses = [clause for clause in sentence.split("; ") if INSTEAD.search(clause)]
    return CUT.sub("the rest is cut", "; ".join(clauses) if clauses or REFUSES.search(sentence) else sentence)


def amount(budget: Budget) -> str:
    """Return the number with its unit: bytes in the largest unit of which they are a whole number."""
    for unit, size in (("MiB", 1 << 20), ("KiB", 1 << 10)):
        if budget.unit == "bytes" and budget.most % size == 0:
            return f"{budget.most // size:,} {unit}"
    unit = "" if budget.unit in ("times", *budget.name.casefold().split()) else f" {budget.unit}"
    return f"{budget.most:,}{unit}"


if __name__ == "__main__":
    import django

    django.setup()
    load_all()
    PAGE.write_text(written())
