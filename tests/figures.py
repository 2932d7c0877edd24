"""`python3 -m tests.figures`: figures of the code itself. docs/contributing.md says what they are held to."""

import ast
from collections import Counter
from collections.abc import Iterable

from tests.imports import MODULES, graph_of, longest_chain, reached_from, trees
from tests.test_words import AIMS, LIMITS
from tests.words import measures

EXPECTED = {"__main__", "urls", "settings"}  # names that Python and Django look for
DJANGOS = {"Meta", "Command", "Migration"}


def repeated(names: Iterable[str]) -> dict[str, int]:
    """Names that occur more than once, the most frequent first."""
    return {name: count for name, count in Counter(names).most_common() if count > 1}


def modules() -> dict[str, int]:
    return repeated(name for module in MODULES if (name := module.rpartition(".")[2]) not in EXPECTED)


def classes() -> dict[str, int]:
    parts = (part for tree in trees().values() for part in ast.walk(tree))
    return repeated(part.name for part in parts if isinstance(part, ast.ClassDef) and part.name not in DJANGOS)


def main() -> None:
    for name, value in measures().items():
        print(f"{name}: {value:,} (held: {LIMITS[name]:,}; aim: {AIMS[name]:,})")
    chain = longest_chain(graph_of("tournaments."))
    print(f"modules: {len(MODULES)}, of which in tournaments: {len(graph_of('tournaments.'))}")
    print(f"longest import chain in tournaments: {len(chain)}: {' -> '.join(chain)}")
    print(f"longest import chain in all: {len(longest_chain(graph_of()))}")
    print(f"modules that `tournaments.models` loads: {len(reached_from(graph_of(), 'tournaments.models')) - 1}")
    for kind, counts in (("module", modules()), ("class", classes())):
        print(f"{kind} names in use more than once: {len(counts)}: {', '.join(f'{n} {c}' for n, c in counts.items())}")


if __name__ == "__main__":
    main()
