"""The way back through the single migrations of before they were squashed: as a site of an earlier release has them."""

from django.core.management import call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader


def single_steps() -> MigrationExecutor:
    """As if nothing had been squashed."""
    executor = MigrationExecutor(connection)
    executor.loader = MigrationLoader(connection, replace_migrations=False)
    for key, squashed in executor.loader.replacements.items():
        executor.loader.graph.remove_replacement_node(key, squashed.replaces)
    return executor


def back_to(number: str) -> None:
    """The tables as the migration of that number left them."""
    executor = single_steps()
    [node] = [key for key in executor.loader.graph.nodes if key[0] == "tournaments" and key[1].startswith(f"{number}_")]
    executor.migrate([node])


def forward() -> None:
    call_command("migrate", verbosity=0)
