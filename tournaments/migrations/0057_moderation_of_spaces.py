from typing import Any

import django.db.models.deletion
from django.db import migrations, models
from django.db.models import Q


def of_space(name: str) -> Any:
    return models.ForeignKey(
        blank=True,
        null=True,
        on_delete=django.db.models.deletion.PROTECT,
        related_name=name,
        to="tournaments.space",
    )


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0056_space_retention"),
    ]

    operations = [
        migrations.AddField(model_name="complaint", name="space", field=of_space("complaints")),
        migrations.AddField(model_name="suspension", name="space", field=of_space("suspensions")),
        migrations.RemoveConstraint(model_name="suspension", name="one_suspension_at_a_time"),
        migrations.AddConstraint(
            model_name="suspension",
            constraint=models.UniqueConstraint(
                condition=Q(("over_at", None)),
                fields=("user", "space"),
                name="one_suspension_at_a_time_in_a_place",
                nulls_distinct=False,
            ),
        ),
    ]
