"""No two people, bots of a game or teams have names that are taken for each other, and the database sees to it.

Where there are such names already, whoever had theirs first keeps it. The others get a number behind it, and a notice;
people may still sign in with the name they had.
"""

from collections.abc import Iterator
from typing import Any

from django.db import migrations, models
from django.db.models.functions import Lower

from tournaments.models.name_lookalikes import Look

TAKEN = "Somebody has this name, or one that people would take for it. Choose another."
KEYS = "SELECT lower(%s), " + Look.template % {"expressions": "%s"}


def part(apps: Any, editor: Any) -> None:
    user, bot, team, notice = (apps.get_model("tournaments", name) for name in ("User", "Bot", "Team", "Notice"))

    def tell(people: Any, what: str, number: int, text: str, path: str) -> None:
        for person in people:
            said = {"kind": "act", "text": text, "path": path}
            notice.objects.get_or_create(user=person, key=f"renamed {what} {number}", defaults=said)

    for row, old in renamed(editor, user.objects.all(), "username"):
        user.objects.filter(pk=row.pk).update(former_name=old)
        text = f"You are {row.username} here now, for {old} was taken for another. Both sign you in."
        tell([row], "user", row.pk, text, "/account/")
    for game in bot.objects.order_by("game").values_list("game", flat=True).distinct():
        for row, old in renamed(editor, bot.objects.filter(game=game), "name"):
            text = f"Your bot {old} is {row.name} now, for its name was taken for that of an older one."
            tell([row.owner], "bot", row.pk, text, f"/bots/{row.pk}/")
    for row, old in renamed(editor, team.objects.all(), "name"):
        text = f"Your team {old} is {row.name} now, for its name was taken for that of an older one."
        tell(user.objects.filter(memberships__team=row).distinct(), "team", row.pk, text, f"/teams/{row.pk}/")
    editor.execute("SET CONSTRAINTS ALL IMMEDIATE")


def renamed(editor: Any, rows: Any, column: str) -> Iterator[tuple[Any, str]]:
    """Each that had to be, with its old name. The oldest of those that look the same stays what it was."""
    limit = rows.model._meta.get_field(column).max_length  # noqa: SLF001 - the framework's own way
    every = rows.annotate(low=Lower(column), look=Look(column)).order_by("pk")
    known = {key for row in every for key in (row.low, (row.look,))}
    seen: set[Any] = set()
    for row in every:
        keys, old = {row.low, (row.look,)}, getattr(row, column)
        if keys & seen:
            name, keys = free(editor, old, limit, known)
            setattr(row, column, name)
            row.save(update_fields=[column])
            yield row, old
        seen |= keys
        known |= keys


def free(editor: Any, name: str, most: int, known: set[Any]) -> tuple[str, set[Any]]:
    """The first number behind it that nobody has."""
    number = 1
    while True:
        number += 1
        wanted = f"{name[: most - len(str(number)) - 1]}-{number}"
        with editor.connection.cursor() as cursor:
            cursor.execute(KEYS, [wanted, wanted])
            low, look = cursor.fetchone()
        if not {low, (look,)} & known:
            return wanted, {low, (look,)}


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0021_draft_states")]

    operations = [
        migrations.AddField("user", "former_name", models.CharField(blank=True, max_length=150)),
        migrations.RunPython(part, migrations.RunPython.noop),
        migrations.AddConstraint(
            "user",
            models.UniqueConstraint(Lower("username"), name="one_person_of_a_name", violation_error_message=TAKEN),
        ),
        migrations.AddConstraint(
            "user",
            models.UniqueConstraint(
                Look("username"), name="no_person_looks_like_another", violation_error_message=TAKEN
            ),
        ),
        migrations.AddConstraint(
            "bot", models.UniqueConstraint(Look("name"), models.F("game"), name="no_bot_looks_like_another_of_its_game")
        ),
        migrations.AddConstraint("team", models.UniqueConstraint(Look("name"), name="no_team_looks_like_another")),
    ]
