"""Constants of ratings that a ladder's field decides, and the rules by which closed ladders were rated."""

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import migrations, models
from django.db.models import Q

USUAL_PRIOR = 350
REFUSAL = "by_lot is %(show_value)s; it must be a whole number from 0 to 100."
BY_LOT = models.PositiveIntegerField(
    default=25,
    help_text="How many of 100 tables are drawn by lot; the others seat similar ratings together. At least half while "
    "styles beat each other in a circle, except with 0. 0 to 100.",
    validators=[MinValueValidator(0, REFUSAL), MaxValueValidator(100, REFUSAL)],
)


def keep_what_was_decided(apps, schema_editor):  # type: ignore[no-untyped-def]
    """Keep the tables of closed ladders, and the priors that organisers chose."""
    ladders = apps.get_model("tournaments", "Ladder").objects.using(schema_editor.connection.alias)
    ladders.filter(status="closed").update(fit_rules=2)
    ladders.filter(Q(status="closed") | ~Q(prior_sd=USUAL_PRIOR)).update(fit_prior=False)


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0010_worker_tokens")]

    operations = [
        migrations.AddField(
            "ladder",
            "fit_prior",
            models.BooleanField(
                default=True, help_text="Fit prior_sd to the field, once, when every bot has played 20 games."
            ),
        ),
        migrations.AddField("ladder", "scale", models.PositiveIntegerField(default=1000, db_default=1000)),
        migrations.AddField("ladder", "fitted_after", models.PositiveIntegerField(null=True, blank=True)),
        migrations.AddField("ladder", "fit_rules", models.PositiveSmallIntegerField(default=3, db_default=3)),
        migrations.AlterField("ladder", "by_lot", BY_LOT),
        migrations.AddField("fit", "repeats", models.PositiveIntegerField(default=0, db_default=0)),
        migrations.RunPython(keep_what_was_decided, migrations.RunPython.noop),
    ]
