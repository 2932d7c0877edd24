"""Prints every claim of docs/measurements/ratings.md beside its figure on these seeds; fails unless all hold."""

import argparse
import importlib
import os
import pkgutil
import sys
import time

import django

import tests.ratings.claims as claims


def main(words: list[str]) -> int:
    """Print the rows of the named modules, or of all; return 1 if a claim does not hold."""
    names = [module.name for module in pkgutil.iter_modules(claims.__path__) if module.name != "__main__"]
    parser = argparse.ArgumentParser(prog="python3 -m tests.ratings.claims", description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"{', '.join(names)}; all without one")
    options = parser.parse_args(words)
    failed = 0
    for name in options.names or names:
        began = time.process_time()
        rows: list[claims.Row] = importlib.import_module(f"{claims.__name__}.{name}").claim(options.seed)
        print(f"\n### {name}, seed {options.seed}, {time.process_time() - began:.0f} s\n")
        print("| | claimed | measured | |\n|---|---|---|---|")
        for row in rows:
            print(f"| {row.name} | {row.claimed} | {row.measured} | {'' if row.holds else 'DIFFERS'} |")
        failed += sum(not row.holds for row in rows)
    return int(failed > 0)


if __name__ == "__main__":
    os.environ |= {"DJANGO_SETTINGS_MODULE": "tournaments.settings", "SECRET_KEY": "unused"}
    django.setup()  # for features, of which some is measured
    sys.exit(main(sys.argv[1:]))
