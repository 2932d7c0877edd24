"""The mutants themselves: which there are, and that each is a module that differs in one place."""

import ast

from tests.mutation.mutants import mutants_of, mutated

SOURCE = '''
LIMIT: int = 3

@cache(1)
def first(rows: list[int], wanted: bool = True) -> int | None:
    """Not 1 but a text."""
    note(rows)
    if not rows and wanted:
        return None
    return rows[0] + 2 if len(rows) < LIMIT else -1
'''


def test_every_kind_of_fault_is_made_where_it_can_be() -> None:
    changes = {(mutant.before.strip(), mutant.after.strip()) for mutant in mutants_of(SOURCE)}
    assert {("3", "4"), ("3", "2"), ("True", "False"), ("note(rows)", "None"), ("not rows", "not not rows")} <= changes
    assert {("not rows and wanted", "not rows or wanted"), ("rows[0] + 2", "rows[0] - 2"), ("-1", "+1")} <= changes
    assert ("len(rows) < LIMIT", "len(rows) <= LIMIT") in changes
    assert not any(mutant.line == SOURCE.split("\n").index("@cache(1)") + 1 for mutant in mutants_of(SOURCE))


def test_every_mutant_differs_from_the_module_and_from_the_others() -> None:
    mutants = mutants_of(SOURCE)
    sources = {ast.unparse(mutated(SOURCE, mutant.number)) for mutant in mutants}
    assert len(sources | {ast.unparse(ast.parse(SOURCE))}) == len(mutants) + 1
