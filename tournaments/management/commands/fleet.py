from argparse import ArgumentParser
from datetime import datetime

from django.core.management.base import BaseCommand, CommandError
from django.utils.timezone import is_naive, make_aware, now
from redis import RedisError

from tournaments.core.errors import Refused
from tournaments.features.worker_door.actions import AdmitWorker, RevokeTokens
from tournaments.features.worker_door.tokens import digest_of, new_worker_secret
from tournaments.ledger.acts.base import Action
from tournaments.ledger.acts.cancel_outdated import CancelOutdated
from tournaments.ledger.acts.workers import Block, Drain, Welcome
from tournaments.models import Space, Worker
from tournaments.ops.monitoring.fleet import WorkerRow, waiting_for_old, worker_rows
from workers.identity import OF, OUTSIDE

OPERATOR = "the operator"
HEAD = ("NAME", "STATUS", "HERE", "OFFERS", "LAST WORD", "MATCHES/H", "FAILED/H", "ALONE", "RELEASE")


class Command(BaseCommand):
    help = "The match workers: who is here and how they do, their tokens, and who of them may go on."

    def add_arguments(self, parser: ArgumentParser) -> None:
        verbs = parser.add_subparsers(dest="verb", required=True)
        verbs.add_parser(
            "list", help="each worker, how many processes of it are here, and what they did in the last hour"
        )
        token = verbs.add_parser("token", help="print the token of a worker that comes by the site's address")
        token.add_argument("name")
        token.add_argument("--space", default="", help="it plays for the space of that address alone, as NAME@SPACE")
        token.add_argument("--offers", default="", help="languages that it may be sent, such as c,rust; default: all")
        revoke = verbs.add_parser("revoke", help="end the tokens of a worker that comes by the site's address")
        revoke.add_argument("name", help="as `list` shows it")
        revoke.add_argument("--reason", required=True, help="shown with the act in the public log")
        for verb, does in (
            ("drain", "it finishes the match in hand, and takes no more"),
            ("block", "nothing that it says is believed, and what it holds is given to others"),
            ("welcome", "it takes orders again"),
        ):
            subparser = verbs.add_parser(verb, help=does)
            subparser.add_argument("name")
            subparser.add_argument("--reason", required=True, help="shown with the act in the public log")
            if verb == "block":
                subparser.add_argument(
                    "--void-since", help="also void and deal again what it played since then (ISO 8601)"
                )
        old = verbs.add_parser("cancel-outdated", help="cancel the sets that wait for rules of a release that has gone")
        old.add_argument("game")
        old.add_argument("rules", type=int)
        old.add_argument("--reason", required=True, help="shown with the act in the public log")

    def handle(self, *_: object, verb: str, **options: str) -> None:
        try:
            getattr(self, f"_{verb.replace('-', '_')}")(options)
        except Refused as refused:
            raise CommandError(str(refused)) from None
        except RedisError as error:
            raise CommandError(f"the broker cannot be asked who is here: {error}") from None

    def _list(self, _: dict[str, str]) -> None:
        lines = [HEAD, *(_cells(row) for row in worker_rows())]
        widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
        for line in lines:
            self.stdout.write("  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip())
        for game, rules, count in waiting_for_old():
            self.stdout.write(
                f"{count} sets wait for a worker and a recorder of version {rules} of the rules of {game}."
            )

    def _token(self, options: dict[str, str]) -> None:
        space, secret = _space(options["space"]) if options["space"] else None, new_worker_secret()
        admitted = AdmitWorker(options["name"], space, digest_of(secret), options["offers"])
        admitted.do(by=OPERATOR, reason="a token was made")
        self.stdout.write(secret)

    def _revoke(self, options: dict[str, str]) -> None:
        name, _, slug = options["name"].partition(OF)
        self._do(RevokeTokens(name, None if slug == OUTSIDE else _space(slug)), options)

    def _drain(self, options: dict[str, str]) -> None:
        self._do(Drain(_worker(options)), options)

    def _block(self, options: dict[str, str]) -> None:
        self._do(Block(_worker(options), void_since=_time(options["void_since"])), options)

    def _welcome(self, options: dict[str, str]) -> None:
        self._do(Welcome(_worker(options)), options)

    def _cancel_outdated(self, options: dict[str, str]) -> None:
        self._do(CancelOutdated(options["game"], int(options["rules"])), options)

    def _do(self, action: Action, options: dict[str, str]) -> None:
        effect = action.preview()
        act = action.do(by=OPERATOR, reason=options["reason"])
        self.stdout.write("\n".join([f"Act {act.number}: {effect.subject}.", *effect.says]))


def _space(slug: str) -> Space:
    if not (space := Space.objects.filter(slug=slug).first()):
        raise CommandError(f"there is no space at the address {slug!r:.40}")
    return space


def _worker(options: dict[str, str]) -> Worker:
    if not (worker := Worker.objects.filter(name=options["name"]).first()):
        names = ", ".join(Worker.objects.order_by("name").values_list("name", flat=True)[:20])
        raise CommandError(
            f"no worker of the name {options['name']!r} has been heard of; those that were: {names or 'none'}"
        )
    return worker


def _time(text: str | None) -> datetime | None:
    if text is None:
        return None
    try:
        time = datetime.fromisoformat(text)
    except ValueError:
        raise CommandError(f"{text!r} is no time; write it like {now():%Y-%m-%dT%H:%M}") from None
    return make_aware(time) if is_naive(time) else time


def _cells(row: WorkerRow) -> tuple[str, ...]:
    status = f"{row.status} ({row.reason})" if row.reason and row.status != "welcome" else row.status
    seen = f"{row.seen_at:%Y-%m-%d %H:%M:%S} UTC" if row.seen_at else "-"
    numbers = (str(number) for number in (row.matches, row.failures, row.diverged))
    return (
        row.name,
        status,
        str(row.processes),
        ",".join(row.offers) or "-",
        seen,
        *numbers,
        " ".join(row.releases) or "-",
    )
