"""Second factors into the table of allauth.mfa, with sealed secrets; those that nobody confirmed are no factor yet."""

from typing import Any

from django.db import migrations
from django.db.migrations.exceptions import IrreversibleError

from tournaments.accounts.factor_secrets import seal
from tournaments.errors import Refused


def move(apps: Any, _editor: object) -> None:
    authenticator = apps.get_model("mfa", "Authenticator")
    for factor in apps.get_model("tournaments", "SecondFactor").objects.exclude(confirmed_at=None).iterator():
        program = {"secret": sealed(factor.secret), "last_step": factor.last_step}
        for kind, data in (("totp", program), ("recovery_codes", {"hashes": factor.papers})):
            authenticator.objects.create(
                user_id=factor.user_id, type=kind, data=data, created_at=factor.confirmed_at
            )


def sealed(secret: str) -> str:
    try:
        return seal(secret)
    except Refused:
        raise RuntimeError(
            "second factors are sealed with SECRET_KEY from now on: set it as the site has it, and migrate again"
        ) from None


def back(apps: Any, _editor: object) -> None:
    """Without rows it goes back; with some, people would lose what guards their accounts."""
    if apps.get_model("mfa", "Authenticator").objects.exists():
        raise IrreversibleError("Second factors stay with allauth: take them away (remove_second_factor) to go back.")


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0057_moderation_of_spaces"), ("mfa", "0003_authenticator_type_uniq")]
    operations = [migrations.RunPython(move, back), migrations.DeleteModel("SecondFactor")]
