"""docker-compose.yml and the Dockerfile, read where no container engine is: by schema, and by what they promise."""

import ast
import json
import os
import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml
from django.core.management import call_command, get_commands
from django.utils.module_loading import import_string

from tournaments.models import User
from tournaments.ops.launcher.postgres import LOCALE, LOG_ZONE
from tournaments.ops.launcher.processes import LOG

ROOT = Path(__file__).resolve().parents[1]
COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "docker-compose.yml").read_text())
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
OURS = sorted(name for name, service in SERVICES.items() if service["image"].startswith("boardroom:"))
LASTING = sorted(name for name, service in SERVICES.items() if service["restart"] != "no")

SITE = sorted(name for name in OURS if "DATABASE_URL" in SERVICES[name].get("environment", {}))
DIGEST = r"[a-z/]+:[\w.-]+@sha256:[0-9a-f]{64}"

every_service = pytest.mark.parametrize("name", sorted(SERVICES))
each_of_ours = pytest.mark.parametrize("name", OURS)


def test_the_file_keeps_to_the_schema() -> None:
    schema = json.loads((ROOT / "tests" / "compose.schema.json").read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.validate(COMPOSE, schema)


def test_all_the_processes_of_the_platform_are_there() -> None:
    assert {"postgres", "redis", "web", "dispatcher", "recorder", "worker"} <= SERVICES.keys()


@each_of_ours
def test_the_command_of_each_service_exists(name: str) -> None:
    match SERVICES[name]["command"]:
        case ["python", "manage.py", command, *_]:
            assert command in get_commands()
        case ["python", "-m", module, *arguments]:
            assert find_spec(module)
            assert all(exists(word) for word in arguments if word.startswith("tournaments"))
        case other:
            pytest.fail(f"unknown way to start a service: {other}")


def exists(word: str) -> bool:
    """A module, module:attribute, or a file."""
    if "/" in word:
        return (ROOT / word).is_file()
    module, _, attribute = word.partition(":")
    return bool(import_string(f"{module}.{attribute}") if attribute else find_spec(module))


def test_all_logs_are_in_utc_with_the_offset() -> None:
    commands = {name: " ".join(SERVICES[name]["command"]) for name in ("postgres", "redis", "web")}
    assert f"log_timezone={LOG_ZONE}" in commands["postgres"]
    assert "--log-timestamp-format iso8601" in commands["redis"]
    assert f"--log-config {Path(LOG[-1]).relative_to(ROOT)}" in commands["web"]


@pytest.mark.parametrize("name", LASTING)
def test_every_service_that_lasts_has_a_health_check(name: str) -> None:
    test = SERVICES[name]["healthcheck"]["test"]
    if test[:3] == ["CMD", "python", "-c"]:
        ast.parse(test[3])
    if test[:3] == ["CMD", "python", "-m"]:
        assert find_spec(test[3])


@every_service
def test_what_a_service_waits_for_exists_and_can_be_waited_for(name: str) -> None:
    for other, waits in SERVICES[name].get("depends_on", {}).items():
        assert other in (LASTING if waits["condition"] == "service_healthy" else SERVICES)


@every_service
def test_networks_and_volumes_that_are_used_are_declared(name: str) -> None:
    assert set(SERVICES[name].get("networks", [])) <= COMPOSE["networks"].keys()
    assert {volume.split(":")[0] for volume in SERVICES[name].get("volumes", [])} <= COMPOSE["volumes"].keys()


@each_of_ours
def test_our_processes_run_without_privileges_on_a_read_only_disk(name: str) -> None:
    service = SERVICES[name]
    assert service["read_only"]
    assert service["cap_drop"] == ["ALL"]
    assert "no-new-privileges:true" in service["security_opt"]
    if name != "arena":
        assert service["user"] == "1000:1000"
        assert "cap_add" not in service


def test_the_arena_may_do_what_it_takes_to_give_each_bot_a_user_of_its_own_and_nothing_else() -> None:
    """A part of what containers may do unless told otherwise: it changes users, and ends and writes what is theirs."""
    assert SERVICES["arena"]["cap_add"] == ["CHOWN", "DAC_OVERRIDE", "KILL", "SETGID", "SETPCAP", "SETUID"]


def test_each_service_of_ours_is_built_to_a_stage_of_the_dockerfile_and_only_those_that_play_have_compilers() -> None:
    stages = re.findall(r"^FROM \S+ AS (.*)", (ROOT / "Dockerfile").read_text(), re.MULTILINE)
    for name in OURS:
        target = SERVICES[name]["build"]["target"]
        assert target in stages
        assert SERVICES[name]["image"] == f"boardroom:{target}"
        assert (target == "play") == (name in ("arena", "worker", "practices"))


# Which variables our own modules ask for, and nobody else's, when the site's settings and processes are made.
ASKED = """
import os, sys
root, asked = sys.argv[1], set()

class Asked(os._Environ):
    def __getitem__(self, name):
        frame = sys._getframe(1)
        while frame and frame.f_code.co_filename.startswith(("<", os.__file__)):  # those that Mapping has
            frame = frame.f_back
        if frame and frame.f_code.co_filename.startswith((root + "/tournaments/", root + "/workers/")):
            asked.add(name)
        return super().__getitem__(name)

os.environ.__class__ = Asked
import django
django.setup()
import tournaments.asgi, tournaments.core.broker.celery_app
print(*sorted(asked))
"""
NOT_HANDED_ON = {
    "DEBUG": "shows errors to strangers: never in public",
    "STATIC_ROOT": "for those who serve the files otherwise, with another image",
    "DJANGO_SETTINGS_MODULE": "the same everywhere",
    "CELERY_SKIP_CHECKS": "the recorder's own",
    "SAMPLES_COMING": "`up` alone begins with samples",
}


def test_every_setting_reaches_the_services_of_the_site() -> None:
    environment = {**os.environ, "DJANGO_SETTINGS_MODULE": "tournaments.settings"}
    done = subprocess.run(
        [sys.executable, "-c", ASKED, str(ROOT)], cwd=ROOT, env=environment, check=True, capture_output=True, text=True
    )
    settings = set(done.stdout.split()) - NOT_HANDED_ON.keys()
    assert {"EMAIL_URL", "WEBHOOKS_INSIDE", "SPOT_CHECKS", "LOG_LEVEL", "WEB_THREADS"} <= settings
    assert {"web", "dispatcher", "recorder", "migrate"} <= set(SITE)
    for name in SITE:
        assert settings <= SERVICES[name]["environment"].keys(), name


def test_what_nobody_has_set_is_empty_and_as_good_as_not_there() -> None:
    """Compose hands on a variable that is not set as an empty one: `PROXIES=` must not stop the site, nor
    `STAFF_NEED_SECOND_FACTOR=` open it."""
    show = "import tournaments.settings as s; print({name: getattr(s, name) for name in dir(s) if name.isupper()})"
    handed_on = {name for name, value in SERVICES["web"]["environment"].items() if str(value).endswith(":-}")}
    bare = {name: os.environ[name] for name in ("PATH", "SECRET_KEY")} | {"SITE_URL": "https://board.example"}
    empty = dict.fromkeys(handed_on | {"DATABASE_URL", "REDIS_URL", "ALLOWED_HOSTS"}, "")
    without, with_empty = (
        subprocess.run([sys.executable, "-c", show], env=env, cwd=ROOT, check=True, capture_output=True).stdout
        for env in (bare, bare | empty)
    )
    assert {"PROXIES", "STAFF_NEED_SECOND_FACTOR", "EMAIL_URL"} <= handed_on
    assert without == with_empty


@pytest.mark.parametrize("name", [*OURS, "postgres", "redis"])
def test_who_sends_mail_and_webhooks_can_leave_and_nobody_else(name: str) -> None:
    """The site's pages send letters, and the dispatcher delivers notices (`manage.py dispatch`)."""
    networks = SERVICES[name].get("networks", [])
    leads_out = any(not (COMPOSE["networks"][network] or {}).get("internal") for network in networks)
    assert leads_out == (name in ("web", "dispatcher"))


def test_images_of_others_are_named_by_their_digests_and_may_be_named_otherwise() -> None:
    for name, variable in (("postgres", "POSTGRES_IMAGE"), ("redis", "VALKEY_IMAGE")):
        assert re.fullmatch(rf"\$\{{{variable}:-{DIGEST}\}}", SERVICES[name]["image"])
    base = re.search(rf"^ARG PYTHON_IMAGE=({DIGEST})$", (ROOT / "Dockerfile").read_text(), re.MULTILINE)
    assert base
    for name in OURS:
        assert SERVICES[name]["build"]["args"] == {
            "PYTHON_IMAGE": f"${{PYTHON_IMAGE:-{base[1]}}}",
            "BOARDROOM_GAMES": "${BOARDROOM_GAMES:-}",
        }
    foreign = {line.split()[1] for line in (ROOT / "Dockerfile").read_text().splitlines() if line.startswith("FROM")}
    assert foreign == {"${PYTHON_IMAGE}", "bare"}


def test_no_secret_is_copied_into_an_image() -> None:
    """The file .env stands in the very folder that is copied."""
    left_out = (ROOT / ".dockerignore").read_text().split()
    assert {".env", ".data", ".git"} <= set(left_out)
    assert ".env" in (ROOT / ".gitignore").read_text().split()


def test_the_docs_name_every_variable_that_the_file_takes() -> None:
    taken = set(re.findall(r"\$\{([A-Z_]+)", (ROOT / "docker-compose.yml").read_text()))
    docs = "".join(
        (ROOT / "docs" / name).read_text() for name in ("install.md", "reference.md", "serve.md", "budgets.md")
    )
    assert [name for name in sorted(taken) if not re.search(rf"\b{name}\b", docs)] == []


@pytest.mark.django_db
def test_the_first_organiser_is_made_by_the_command_that_the_docs_say(monkeypatch: pytest.MonkeyPatch) -> None:
    section = (ROOT / "docs" / "install.md").read_text().partition("\n## Containers\n")[2].partition("\n## ")[0]
    command = re.search(r"docker compose exec web python manage\.py (\w+)", section)
    assert command
    monkeypatch.setenv("DJANGO_SUPERUSER_PASSWORD", "a password of nobody else")
    call_command(command[1], interactive=False, username="olga", email="olga@example.org")
    assert User.objects.get(username="olga").is_staff


def test_a_match_worker_is_told_no_secret_of_the_site() -> None:
    environment = SERVICES["worker"]["environment"]
    assert environment.keys() <= {
        "BOARDROOM_GAMES",
        "REDIS_URL",
        "SITE_URL",
        "WORKER_TOKEN",
        "WORKER_CACHE",
        "MIN_SANDBOX",
        "ARENA_SOCKET",
        "LOG_FORMAT",
        "LOG_LEVEL",
    }
    assert not re.search(r"postgres|SECRET_KEY|DATABASE", json.dumps(environment), re.IGNORECASE)


def test_strangers_code_runs_where_no_network_and_no_secret_is() -> None:
    arena, worker = SERVICES["arena"], SERVICES["worker"]
    assert arena["network_mode"] == "none"
    assert "networks" not in arena
    assert arena["environment"].keys() == {"MIN_SANDBOX", "BOARDROOM_GAMES"}
    assert {"mem_limit", "pids_limit"} <= arena.keys()
    address, store = arena["command"][-2:]
    assert arena["volumes"] == [f"bots:{store}"]
    assert set(arena["volumes"]) < set(worker["volumes"])
    assert address == worker["environment"]["ARENA_SOCKET"]
    assert store == f"{worker['environment']['WORKER_CACHE']}/unpacked"


def test_a_match_worker_has_no_way_to_the_database_or_out() -> None:
    networks = set(SERVICES["worker"]["networks"])
    assert not networks & set(SERVICES["postgres"]["networks"])
    assert all(COMPOSE["networks"][network]["internal"] for network in networks)


def test_no_secret_is_written_into_the_file() -> None:
    """They come from the environment, and a missing one stops the start."""
    text = (ROOT / "docker-compose.yml").read_text()
    assigned = re.findall(r"(?:PASSWORD|SECRET_KEY|WORKER_TOKEN|AUTH): (.*)", text)
    assert assigned
    assert all(re.fullmatch(r"\$\{[A-Z_]+:\?\}", value) for value in assigned)


def test_the_database_sorts_text_as_the_built_in_one_does() -> None:
    assert " ".join(LOCALE) in SERVICES["postgres"]["environment"]["POSTGRES_INITDB_ARGS"]


def test_what_the_image_copies_exists_and_it_does_not_run_as_root() -> None:
    dockerfile = (ROOT / "Dockerfile").read_text()
    copied = [word for line in re.findall(r"^COPY ([^-].*)", dockerfile, re.MULTILINE) for word in line.split()[:-1]]
    assert copied
    assert all((ROOT / word).exists() for word in copied)
    for stage in re.split(r"^FROM .*", dockerfile, flags=re.MULTILINE)[2:]:  # after what all have in common
        assert re.findall(r"^USER (.*)", stage, re.MULTILINE)[-1] == "1000"
