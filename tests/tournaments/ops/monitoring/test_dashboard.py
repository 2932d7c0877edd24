"""The dashboard and the alert rules name metrics that there are."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.conf import settings
from django.utils import timezone
from prometheus_client.parser import text_string_to_metric_families
from redis import Redis

from tests.tournaments.ops.launcher.processes import ROOT
from tests.tournaments.web.api.world import a_world
from tournaments.audit.log import PLATFORM, append
from tournaments.core.broker.failing_items import FAILURES
from tournaments.core.broker.heartbeats import Heartbeats
from tournaments.ledger.ladders.rating_checks import MENDED
from tournaments.models import FailingItem, Upkeep
from tournaments.ops.monitoring import metrics
from workers.process_heartbeats import WORKERS

NAME = re.compile(r"boardroom_\w+")
RULES: list[dict[str, Any]] = yaml.safe_load((ROOT / "docs/alerts.yml").read_text())["groups"][0]["rules"]
DASHBOARD: dict[str, Any] = json.loads((ROOT / "docs/grafana.json").read_text())
SELECTED = re.compile(r'(boardroom_\w+)\{(\w+)="([^"]*)"\}')


def expressions() -> list[str]:
    panels = [target["expr"] for panel in DASHBOARD["panels"] for target in panel["targets"]]
    return [*panels, *(rule["expr"] for rule in RULES)]


@pytest.fixture
def labels_of(broker: Redis, db: None) -> dict[str, set[str]]:
    """The name of every metric, with the names of its labels."""
    a_world()
    Upkeep.objects.create(what="backup")
    append(kind=MENDED, by=PLATFORM, subject="ladder arena")
    FailingItem.objects.create(loop="pairing", item="ladder a")
    broker.hincrby(FAILURES, "pairing", 1)
    Heartbeats(settings.REDIS_URL, "leader").round(0.1)
    broker.zadd(WORKERS, {"den/1 zaibatsu-1,orders-2 c,python": timezone.now().timestamp()})
    families = text_string_to_metric_families(metrics.metrics_text().decode())
    return {sample.name: set(sample.labels) for family in families for sample in family.samples}


def test_every_metric_that_is_drawn_or_watched_exists(labels_of: dict[str, set[str]]) -> None:
    named = {name for expression in expressions() for name in NAME.findall(expression)}
    assert len(named) > 15
    seldom = {"boardroom_queue_sets", "boardroom_queue_age_seconds"}  # told while something waits
    later = {name for name in named if "http" in name or "fit_age" in name or "spot_checks" in name}
    assert named - labels_of.keys() <= seldom | later
    text = "".join(path.read_text() for path in (ROOT / "tournaments/ops/monitoring").glob("*.py"))
    assert all(name.removeprefix("boardroom_").removesuffix("_total") in text for name in named)


def test_every_label_that_is_asked_for_exists(labels_of: dict[str, set[str]]) -> None:
    selected = [match for expression in expressions() for match in SELECTED.findall(expression)]
    assert selected
    assert all(label in labels_of[name] for name, label, _ in selected)


def test_every_metric_is_drawn(labels_of: dict[str, set[str]]) -> None:
    drawn = set(NAME.findall(json.dumps(DASHBOARD)))
    assert not labels_of.keys() - drawn


def test_the_reference_has_every_metric_with_its_labels(labels_of: dict[str, set[str]]) -> None:
    rows = re.findall(r"^\| `(boardroom_\w+)` \| (.*?) \|", (ROOT / "docs/reference.md").read_text(), re.MULTILINE)
    written = {name: set(re.findall(r"\w+", labels)) for name, labels in rows}
    assert {name: labels for name, labels in labels_of.items() if labels != written.get(name)} == {}


def test_the_reference_has_every_command() -> None:
    page = (ROOT / "docs/reference.md").read_text()
    commands = (path.stem for path in (ROOT / "tournaments/management/commands").glob("[!_]*.py"))
    assert [name for name in commands if not re.search(rf"^- .*`{name}`.*:", page, re.MULTILINE)] == []


def test_every_alert_says_what_it_means_and_has_a_row_in_the_manual() -> None:
    manual = Path(ROOT / "docs/run.md").read_text()
    for rule in RULES:
        assert rule["annotations"].keys() == {"summary", "description"}
        assert rule["labels"]["severity"] in ("page", "ticket")
        assert f"`{rule['alert']}`" in manual
