import os
import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from tournaments.ops.launcher.subprocess_group import ROOT
from tournaments.ops.launcher.up_options import between, new_file

OPTIONS = {
    "seed": (1, between(0, 10**9), "draws what goes wrong, where and for how long"),
    "faults": (500, between(0, 10**6), "at least so many"),
    "poison": (20, between(0, 100), "of a hundred faults so many are poison; 100: poison alone"),
    "matches": (5000, between(0, 10**9), "at least so many are recorded"),
    "workers": (3, between(1, 256), "match workers"),
}


class Command(BaseCommand):
    help = (
        "Runs the whole platform in a temporary folder while everything goes wrong, and counts what was lost: nothing."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        for name, (default, kind, meaning) in OPTIONS.items():
            parser.add_argument(f"--{name}", type=kind, default=default, help=f"{meaning} ({default})")
        parser.add_argument("--only", metavar="POISON", default="", help="one kind of poison, and nothing else")
        parser.add_argument("--json", type=new_file, metavar="FILE", help="also write the figures there")

    def handle(self, *_: Any, **options: Any) -> None:
        """Run in this process's place, for it must begin before Django reads its settings."""
        arguments = [part for name in OPTIONS for part in (f"--{name}", str(options[name]))]
        if options["only"]:
            arguments += ["--poison", "100", "--only", options["only"]]
        if options["json"]:
            arguments += ["--json", str(options["json"])]
        os.chdir(ROOT)
        os.execv(sys.executable, [sys.executable, "-m", "tests.faults", *arguments])
