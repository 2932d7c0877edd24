"""--data in the help of Django's commands: the launcher takes it out of the arguments before they see them."""

from argparse import SUPPRESS, Action, ArgumentParser
from typing import Any, NoReturn

from django.core.management import base


class InFull(Action):
    """An option that the launcher reads: what is left of it is an abbreviation, which it does not take."""

    def __call__(self, parser: ArgumentParser, *_: object) -> NoReturn:
        parser.error("write --data DIR in full: it says which site is meant")


class SiteParser(base.CommandParser):
    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        about = "the folder of the site that is meant (.data); anywhere in the line"
        self.add_argument("--data", metavar="DIR", action=InFull, default=SUPPRESS, help=about)


def list_site_option() -> None:
    """Have each command, and each of its verbs, list --data in its help."""
    base.CommandParser = SiteParser  # type: ignore[misc]
