"""Bots of every language in containers like those of docker-compose.yml, made by the means that engines have."""

import json
import os
import select
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from bots.contest import sample_files
from bots.languages import ALL, Language, Missing
from engine.records import from_plain, to_plain
from tests.languages.played import OLD_RUST, QUICK, need, verdicts
from tests.test_compose import SERVICES
from tests.tournaments.ops.launcher.processes import descendants
from tests.workers.hall import HONEST, ROOT, TOKEN, Site, a_site, an_order, until
from workers.orders import Report
from workers.sandbox.limits import Limits
from workers.sandbox.privileges import FIRST_USER

PATIENCE_S = 120
SEPARATE = ("--mount", "--ipc", "--uts", "--pid", "--cgroup", "--fork", "--kill-child")
NEEDS = f"unshare {' '.join(SEPARATE)} --net ip link set lo up && setpriv --version && command -v chroot"
FOLDERS = ("/usr", "/etc", "/bin", "/sbin", "/lib", "/lib64", sys.base_prefix, str(ROOT), sys.prefix)

# Its arguments: where the root is made, the volumes as FROM:TO, --, the command. All but the volumes is read-only.
CONTAINER = f"""
root=$1; shift
mount -t tmpfs -o mode=755 container "$root"
mkdir -p "$root/proc" "$root/tmp" "$root/dev"
mount -t tmpfs -o mode=1777,size=64m tmp "$root/tmp"
for path in {" ".join(FOLDERS)} $(findmnt --raw --noheadings --output TARGET --types cgroup,cgroup2); do
    [ -e "$path" ] || continue
    if [ -L "$path" ]; then cp -P "$path" "$root$path"; continue; fi
    mkdir -p "$root$path"
    mount --bind "$path" "$root$path"
    mount -o remount,bind,ro "$root$path"
done
for name in null zero urandom random; do touch "$root/dev/$name"; mount --bind "/dev/$name" "$root/dev/$name"; done
mount -t proc proc "$root/proc"
while [ "$1" != -- ]; do
    mkdir -p "$root${{1#*:}}"
    mount --bind "${{1%%:*}}" "$root${{1#*:}}"
    shift
done
shift
mount -o remount,ro "$root"
exec chroot "$root" "$@"
"""

WORKER = """
import json, sys
from engine.records import to_plain
from workers import languages
from workers.bundles import Shelf, own_folder
from workers.match import Kit, report_match
from workers.orders import read_order
from workers.sandbox.far import connect

shelf = Shelf(own_folder("/cache"), *sys.argv[1:])
with connect(f"{shelf.unpacked}/arena.sock", shelf.unpacked) as arena:
    kit = Kit("tester/1", shelf, arena, languages.find_tools(arena))
    print(json.dumps([arena.tier, arena.extras, *kit.tools]), flush=True)
    for line in sys.stdin:
        order = read_order(json.loads(line))
        print(json.dumps(to_plain(report_match(order, order.matches[0], kit))), flush=True)
"""


@contextmanager
def container(name: str, root: Path, volumes: list[str], *arguments: str) -> Iterator[subprocess.Popen[bytes]]:
    """Start what a service of docker-compose.yml may do: its user, its capabilities, and a network if it has any."""
    service = SERVICES[name]
    user, group = service["user"].split(":")
    capabilities = ",".join(["-all", *(f"+{capability.lower()}" for capability in service.get("cap_add", []))])
    network = ["--net"] if service.get("network_mode") == "none" else []
    made = ["bash", "-euc", CONTAINER.replace("exec", "ip link set lo up\nexec") if network else CONTAINER, "bash"]
    become = [f"--bounding-set={capabilities}", "--inh-caps=-all", "--no-new-privs", "--clear-groups"]
    become = ["setpriv", *become, f"--reuid={user}", f"--regid={group}"]
    surrounded = ["env", "-i", f"--chdir={ROOT}", "PATH=/usr/bin:/bin", "PYTHONDONTWRITEBYTECODE=1"]
    command = [*made, str(root), *volumes, "--", *become, *surrounded, sys.executable, *arguments]
    root.mkdir()
    with subprocess.Popen(
        ["unshare", *SEPARATE, *network, *command], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def output_of(process: subprocess.Popen[bytes]) -> bytes:
    assert process.stdout
    assert select.select([process.stdout], [], [], PATIENCE_S)[0], "it is silent"
    return process.stdout.readline()


class Worker:
    """The process in a worker's container: it says what it offers, then answers orders with reports."""

    def __init__(self, process: subprocess.Popen[bytes], site: Site) -> None:
        self.process, self.site = process, site
        self.tier, self.extras, *self.offers = self.hear()

    def hear(self) -> Any:
        return json.loads(output_of(self.process))

    def play(self, *bots: tuple[bytes | str, str]) -> Report:
        """One match of these bots, each given by its source and the name of its file."""
        order = an_order([self.site.put(*bot) for bot in bots], matches=1, clock=QUICK)
        assert self.process.stdin
        self.process.stdin.write(json.dumps(to_plain(order)).encode() + b"\n")
        self.process.stdin.flush()
        report: Report = from_plain(Report, self.hear(), "report")
        return report


@pytest.fixture(scope="module")
def containers(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the volumes."""
    folder = tmp_path_factory.mktemp("containers")
    may = subprocess.run(["sh", "-c", NEEDS], capture_output=True, text=True, check=False)
    if may.returncode:
        pytest.skip(
            f"NOT TESTED: bots in containers: {may.stderr.strip()}. Run the tests as root of a machine with util-linux "
            "and iproute2, or in a container that may make others."
        )
    for volume, mode in (("bundles", 0o700), ("bots", 0o755)):
        (folder / volume).mkdir()
        (folder / volume).chmod(mode)
        os.chown(folder / volume, 1000, 1000)
    return folder


@pytest.fixture(scope="module")
def arena(containers: Path) -> Iterator[subprocess.Popen[bytes]]:
    """Start an arena in its container."""
    command = SERVICES["arena"]["command"][1:]
    with container("arena", containers / "arena", [f"{containers}/bots:/cache/unpacked"], *command) as process:
        assert b"in the tier 'landlock'" in output_of(process)
        yield process


@pytest.fixture(scope="module")
def worker(arena: subprocess.Popen[bytes], containers: Path) -> Iterator[Worker]:
    volumes = [f"{containers}/bundles:/cache", f"{containers}/bots:/cache/unpacked"]
    with (
        a_site() as site,
        container("worker", containers / "worker", volumes, "-c", WORKER, site.url, TOKEN) as process,
    ):
        yield Worker(process, site)


def test_a_worker_there_offers_all_languages_of_the_machine(worker: Worker) -> None:
    assert worker.tier == "landlock"
    assert "cgroup" not in worker.extras
    assert set(worker.offers) == {language.offer() for language in ALL if is_there(language) and not language.home_only}


def is_there(language: Language) -> bool:
    """Whether this machine has it, and in folders that the container has too: not in somebody's home."""
    try:
        tool = language.detect()
    except Missing:
        return False
    reachable = all(path.startswith(FOLDERS) for path in filter(os.path.isabs, (tool.command, *tool.reads)))
    return reachable and not tool.version.startswith(OLD_RUST)


def sample(name: str) -> tuple[bytes, str]:
    return sample_files("zaibatsu")[name].read_bytes(), name


@pytest.mark.parametrize(("name", "language"), [("frugal.c", "c"), ("frugal.js", "javascript")])
def test_a_sample_plays_there(worker: Worker, name: str, language: str) -> None:
    need(language)
    report = worker.play(sample(name), (HONEST, "bot.py"))
    assert verdicts(report) == ["ok", "ok"]
    assert (report.tier, report.faults) == ("landlock", [])


def test_a_program_that_cannot_be_built_is_told_why_there(worker: Worker) -> None:
    need("c++")
    report = worker.play(("int main() { return x; }", "bot.cpp"), (HONEST, "bot.py"))
    assert verdicts(report) == ["crashed", "ok"]
    assert "bot.cpp:1:" in report.stderr[0].text


BOMB = r"""
#include <pthread.h>
#include <unistd.h>
static void *rest(void *nothing) { pause(); return nothing; }
static void bomb(void) {
    pthread_t thread; pthread_attr_t small; int made = 0;
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, 65536);
    while (!pthread_create(&thread, &small, rest, 0)) made++;
    fprintf(stderr, "%d threads, %s process", made, fork() < 0 ? "no" : "a");
}
int main(void)
{
    bomb();
"""


def test_a_bomb_of_threads_there_takes_none_from_its_opponent(worker: Worker) -> None:
    """No bot has a control group: the kernel counts for each user, and each bot is one."""
    need("c")
    need("javascript")
    source = sample("frugal.c")[0].decode().replace("int main(void)\n{", BOMB)
    report = worker.play((source, "bot.c"), sample("frugal.js"))
    assert verdicts(report) == ["ok", "ok"]
    assert report.stderr[0].text == f"{Limits().threads - 1} threads, no process"


def test_each_bot_there_is_a_user_of_its_own_and_none_is_left(
    worker: Worker, arena: subprocess.Popen[bytes], containers: Path
) -> None:
    prints_user = "import os, sys\nprint(os.getuid(), os.getgid(), file=sys.stderr)\n"
    report = worker.play((prints_user + HONEST, "bot.py"), ("# another\n" + prints_user + HONEST, "bot.py"))
    assert verdicts(report) == ["ok", "ok"]
    users = [set(stderr.text.split()) for stderr in report.stderr]
    assert [len(user) for user in users] == [1, 1]
    assert users[0] != users[1]
    assert min(int(user.pop()) for user in users) >= FIRST_USER
    assert not list((containers / "bots").glob(".new-*"))
    until("the end of all bots", lambda: not any(map(is_a_bot, descendants(arena.pid))))


def is_a_bot(process: int) -> bool:
    try:
        return Path("/proc", str(process)).stat().st_uid >= FIRST_USER
    except OSError:
        return False
