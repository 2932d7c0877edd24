"""Every limit and clock of a ladder, and the range of each; an increment in the deterministic division too."""

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import migrations, models

# Name, default, range, meaning.
NEW = [
    ("threads", 16, 1, 1024, "Of a bot, the first included. Where a worker cannot count them, a bot has one."),
    ("open_files", 64, 16, 4096, "That a bot may have open at once, its three pipes included."),
    ("files_mb", 8, 0, 1024, "The largest file that a bot may write, in MB."),
    ("temp_mb", 16, 1, 4096, "A bot's temporary folder, in MB. Not every worker's sandbox has one."),
    ("line_kb", 64, 1, 256, "The longest answer, in KB of 1,024 bytes."),
    ("output_kb", 4096, 16, 16384, "What a bot may write in a match, stdout and stderr together, in KB."),
    ("stderr_kb", 8, 1, 64, "The end of a bot's stderr that is kept for its owner, in KB."),
]
OLD = [
    ("answer_ms", 1000, 10, 60000, "For one answer, in milliseconds of CPU time, as all times here."),
    ("bank_ms", 30000, 100, 3600000, "For all answers of a match."),
    ("increment_ms", 0, 0, 60000, "Put back into the bank for each answer."),
    ("start_ms", 5000, 100, 60000, "Until a bot is ready."),
    ("memory_mb", 512, 64, 65536, "Address space of a bot, in MB of 1,048,576 bytes."),
]


def field(name: str, default: int, low: int, high: int, meaning: str) -> "models.PositiveIntegerField[int, int]":
    refusal = f"{name} is %(show_value)s; it must be a whole number from {low} to {high}."
    return models.PositiveIntegerField(
        default=default,
        validators=[MinValueValidator(low, refusal), MaxValueValidator(high, refusal)],
        help_text=f"{meaning} {low} to {high}.",
    )


def in_range(name: str, _: int, low: int, high: int, __: str) -> models.CheckConstraint:
    return models.CheckConstraint(condition=models.Q(**{f"{name}__range": (low, high)}), name=f"{name}_in_range")


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0003_time_controls")]

    operations = [
        migrations.RemoveConstraint("ladder", "memory_within_reason"),
        migrations.RemoveConstraint("ladder", "fuel_has_no_increment"),
        *(migrations.AddField("ladder", setting[0], field(*setting)) for setting in NEW),
        *(migrations.AlterField("ladder", setting[0], field(*setting)) for setting in OLD),
        *(migrations.AddConstraint("ladder", in_range(*setting)) for setting in OLD + NEW),
    ]
