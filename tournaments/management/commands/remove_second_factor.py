from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from tournaments.audit.log import PLATFORM
from tournaments.core.accounts.second_factor import take_away
from tournaments.core.errors import Refused
from tournaments.models import User


class Command(BaseCommand):
    help = "Remove the second factor of somebody who has lost authenticator and recovery codes; the reason is public."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name")
        parser.add_argument("--reason", required=True, help="how you know that it is really this person")

    def handle(self, *_: object, **options: Any) -> None:
        user = User.objects.filter(username__iexact=options["name"]).first()
        if user is None:
            raise CommandError(f"There is nobody named {options['name']}.")
        try:
            take_away(user=user, by=PLATFORM, reason=options["reason"])
        except Refused as refused:
            raise CommandError(refused.detail) from None
        self.stdout.write(f"The password of {user} is enough now. It stands in the public log.")
