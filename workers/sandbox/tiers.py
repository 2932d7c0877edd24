"""The tiers: the ways to confine a bot, strongest first, and what each of them must do."""

import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import ModuleType

from workers.sandbox import landlock, packages, seccomp
from workers.sandbox.cgroups import Groups
from workers.sandbox.limits import Limits
from workers.sandbox.privileges import drop_privileges, take_user
from workers.sandbox.seccomp import Policy

COMMON_MODULES = """
    abc argparse array base64 bisect collections contextlib copy csv dataclasses datetime decimal enum fractions
    functools hashlib heapq inspect itertools json logging math operator os pathlib pickle pprint queue random re
    select selectors signal statistics string struct tempfile textwrap threading time traceback types typing uuid
    weakref zlib"""
SHARED_PACKAGES = ("engine", "bots")  # all that a bot sees of this project


@dataclass(frozen=True)
class Plan:
    """A tier, and whether each bot gets a host user of its own: possible for root alone, and stronger."""

    tier: str
    own_user: bool

    @property
    def counts_threads(self) -> bool:
        """Whether a bot's threads are counted alone, and so can be limited. Nothing is counted for the host's root."""
        return self.own_user or (self.tier == "namespaces" and os.geteuid() != 0)


PLANS = (
    Plan("namespaces", own_user=True),
    Plan("namespaces", own_user=False),
    Plan("landlock", own_user=True),
    Plan("landlock", own_user=False),
    Plan("pure", own_user=True),
    Plan("pure", own_user=False),
)
DEV = "dev"  # no sandbox at all; it is in no order of strength, and must be asked for by name


def library_folders() -> list[str]:
    """The folders that hold Python's standard library and the shared libraries it loads."""
    prefixes = dict.fromkeys((sys.base_prefix, sys.base_exec_prefix, "/usr", "/usr/local", "/"))
    names = dict.fromkeys((sys.platlibdir, "lib", "lib64"))
    folders = [Path(prefix) / name for prefix in prefixes for name in names]
    return [str(folder) for folder in folders if folder.is_dir()]


def with_targets(paths: Sequence[str]) -> list[str]:
    """The paths by the folders they really lie in, and what they point to."""
    places = [Path(path).parent.resolve() / Path(path).name for path in paths]
    return [str(path) for place in places for path in dict.fromkeys((place, place.resolve()))]


class Tier:
    """The `landlock` tier: the host's files and processes stay where they are, the bot may only look at a few.

    Nothing is writable, the bot can signal nobody, and where its threads cannot be counted alone it has but one. The
    `namespaces` tier builds on this one.
    """

    def __init__(self, plan: Plan, checkout: Path, store: Path, reads: Sequence[str] = ()) -> None:
        self.plan, self.store = plan, str(store)
        self.reads = with_targets(reads)  # what programs need besides
        self.code = str(checkout)  # the folder on the bot's path that holds the shared packages
        shared = [f"{checkout}/{name}" for name in SHARED_PACKAGES]
        self.read = [*library_folders(), *self.reads, *shared, "/dev/urandom"]
        self.write = ["/dev/null"]
        self.parent = os.getpid()  # the number by which a child knows the zygote
        self.handles: tuple[int, ...] = ()  # descriptors that a child needs until it is confined
        self.modules = COMMON_MODULES.split()
        self.packages = packages.among(self.reads)
        self.reserves_mb = sum(packages.RESERVES_MB[name] for name in self.packages)  # on top of a Python bot's memory
        self.groups: Groups | None = None
        self.temporary: str | None = None
        self.writes: str | None = None  # where a program finds the folder that it may write
        self.policy = Policy(threads=plan.counts_threads, writing=False, killing=False)

    def use(self, groups: Groups | None) -> None:
        """Use groups: where they bound each bot, they bound its threads too."""
        if groups:
            self.groups, self.handles = groups, (*self.handles, *groups.handles)
            self.policy = replace(self.policy, threads=True)

    def settle(self) -> None:
        """Prepare the zygote, once, before it loads anything for the bots."""
        if not landlock.landlock_version():
            raise OSError("the kernel offers no Landlock (it takes Linux 5.13 or newer, with Landlock switched on)")

    def fork(self) -> int:
        return os.fork()

    def show(self, bundle: str, writes: str | None, limits: Limits) -> str:  # noqa: ARG002 - not all is used here
        """Show the child its bundle: returns the folder where it is, which is made the current one."""
        folder = f"{self.store}/{bundle}"
        os.chdir(folder)
        self.read = [*self.read, folder]
        if writes:
            self.writes = self.temporary = f"{self.store}/{writes}"
            self.write = [*self.write, self.writes]
        return folder

    def execute_no_file(self) -> None:
        """Forbid the child, besides what Landlock does, to execute what stands in a folder."""

    def open_own(self, name: str) -> int:
        """Open, in the child, a file of /proc about itself, as the zygote's machine numbers it."""
        return os.open(f"/proc/self/{name}", os.O_RDONLY | os.O_CLOEXEC)

    def names(self, folder: str) -> set[str]:
        """Names at the top of the bundle, with endings."""
        with os.scandir(folder) as entries:
            return {entry.name for entry in entries}

    def source(self, path: str) -> bytes:
        return Path(path).read_bytes()

    def find_modules(self, folder: str, main: ModuleType) -> None:  # noqa: ARG002 - where there are files, they tell
        """Let imports find what the bundle brings, before all else."""
        sys.path.insert(0, folder)

    def change_user(self) -> None:
        """Make the child somebody who owns nothing."""
        if self.plan.own_user:
            take_user()

    def lock(self, policy: Policy, filtering: bytes) -> None:
        """Lock the child, last: nothing forbidden can be done any more. Seccomp forbids what comes before it."""
        drop_privileges()
        if landlock.landlock_version():
            landlock.confine_files(self.read, self.write, executing=policy.executing and not policy.alone)
            landlock.prove_landlock()
        seccomp.install(filtering)


class Dev(Tier):
    """NO SANDBOX: limits and a process group, for bots one trusts."""

    def settle(self) -> None:
        """Nothing is asked of the kernel."""

    def lock(self, policy: Policy, filtering: bytes) -> None:
        """Nothing is."""


TierClass = Callable[[Plan, Path, Path, Sequence[str]], Tier]
