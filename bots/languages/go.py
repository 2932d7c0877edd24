"""Go, with its standard library alone: the entry and the .go files beside it are one package."""

import functools
import json
import os
from collections.abc import Sequence
from pathlib import Path, PurePosixPath

from bots.languages.language import PROGRAM, Language, Missing, Tool, ask, find_program

WANTED = ("GOROOT", "GOTOOLDIR", "GOCACHE", "GOVERSION", "GOOS", "GOARCH")
LISTED = "{{if .Export}}packagefile {{.ImportPath}}={{.Export}}{{end}}"
GENERICS = (1, 18)
CACHED = (1, 20)  # the first that keeps its compiled standard library in a cache, not beside its sources


class Go(Language):
    """`go build` starts a compiler and a linker. Here they are run one after the other, and are told where the standard
    library lies: since Go 1.20 that is in a cache, which is filled once."""

    name, title = "go", "Go"
    endings = (".go",)
    trial = (
        b'package main\nimport "fmt"\n'
        b'func main() { done := make(chan string); go func() { done <- "ready" }(); fmt.Println(<-done) }\n'
    )
    remedy = "Install Go 1.18 or newer. Debian: apt-get install golang-go"
    built = alone = True
    reserves_mb = 720  # its allocator sets aside 600 MB of addresses before the first line, and threads their stacks

    def detect(self) -> Tool:
        command = find_program("go")
        environment = json.loads(ask(command, "env", "-json", *WANTED))
        if (version := _version(environment["GOVERSION"])) < GENERICS:
            raise Missing(f"{command} is {environment['GOVERSION']}; bots need go1.18 or newer")
        folders = {
            environment["GOROOT"],
            environment["GOTOOLDIR"],
            *([environment["GOCACHE"]] if version >= CACHED else []),
        }
        return Tool(command, f"Go {environment['GOVERSION'][2:]}", tuple(sorted(filter(os.path.isdir, folders))))

    def build(self, tool: Tool, folder: str, sources: Sequence[str], program: str) -> list[str]:
        return [tool.command, "build", "-o", program, *(f"{folder}/{source}" for source in package_files(sources))]

    def steps(self, command: Sequence[str], temporary: str) -> list[list[str]]:
        go, _, _, program, *files = command
        tools = json.loads(ask(go, "env", "-json", *WANTED))["GOTOOLDIR"]
        where, package = Path(temporary) / "importcfg", f"{temporary}/main.a"
        where.write_text(library(go))
        return [
            [f"{tools}/compile", "-o", package, "-p", "main", "-complete", "-importcfg", str(where), "-pack", *files],
            [f"{tools}/link", "-o", program, "-importcfg", str(where), "-s", "-w", package],
        ]

    def run(self, tool: Tool, folder: str, entry: str, memory_mb: int | None = None) -> list[str]:  # noqa: ARG002
        return [f"{folder}/{PROGRAM}"]


def package_files(sources: Sequence[str]) -> list[str]:
    """Return the files of the entry's package: beside it, and no tests."""
    folder = PurePosixPath(sources[0]).parent if sources else None
    return [path for path in sources if PurePosixPath(path).parent == folder and not path.endswith("_test.go")]


@functools.cache
def library(go: str) -> str:
    """Return where each package of the standard library lies, as the compiler and the linker read it."""
    environment = json.loads(ask(go, "env", "-json", *WANTED))
    if (
        _version(environment["GOVERSION"]) < CACHED
    ):  # `go list` wants a cache even so, which a container may have nowhere
        packages = Path(environment["GOROOT"], "pkg", f"{environment['GOOS']}_{environment['GOARCH']}")
        archives = ((path.relative_to(packages).with_suffix("").as_posix(), path) for path in packages.rglob("*.a"))
        return "".join(f"packagefile {name}={path}\n" for name, path in sorted(archives))
    return "\n".join(filter(None, ask(go, "list", "-export", "-f", LISTED, "std").splitlines())) + "\n"


def _version(text: str) -> tuple[int, ...]:
    """Return (1, 21) for "go1.21.4"; for what is no release, the newest there may be."""
    numbers = text.removeprefix("go").split(".")[:2]
    return tuple(map(int, numbers)) if all(map(str.isdecimal, numbers)) else (99,)
