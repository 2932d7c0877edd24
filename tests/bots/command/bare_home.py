"""An environment that has nothing of this repository: what a competitor begins with."""

import importlib.metadata
import json
import os
import shutil
import subprocess
import venv
from pathlib import Path

import manage
from tests.tournaments.ops.launcher.test_up import PATIENCE

NEEDED = ("click", "rich", "markdown-it-py", "mdurl", "Pygments")


class Home:
    """An environment with the kit's dependencies, copied: nothing is fetched from anywhere but the site."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.python = folder, folder / "venv" / "bin" / "python"
        venv.create(folder / "venv", symlinks=True, with_pip=False)
        self.packages = next((folder / "venv" / "lib").glob("python3*/site-packages"))
        for name in NEEDED:
            for file in importlib.metadata.files(name) or ():
                if file.suffix == ".py" or file.suffix == ".typed" or ".dist-info" in file.as_posix():
                    target = self.packages / file
                    target.parent.mkdir(parents=True, exist_ok=True)
                    shutil.copyfile(file.locate(), target)

    def link(self, package: str) -> None:
        """A package that is too large to copy, with the folders that lie beside it."""
        for name in {file.parts[0] for file in importlib.metadata.files(package) or () if file.parts[0] != ".."}:
            (self.packages / name).symlink_to(Path(str(importlib.metadata.distribution(package).locate_file(name))))

    def install(self, *what: str) -> None:
        installer = manage.find_uv()
        command = [installer, "pip", "install"] if installer else [str(manage.INSTALLER), "-m", "pip"]
        with_python = ["--python", str(self.python)]
        command = [*command, *with_python] if installer else [*command, *with_python, "install"]
        subprocess.run([*command, "-q", "--no-deps", *what], check=True, cwd=self.folder)

    def run(self, *arguments: str, stdin: str = "", **environment: str) -> subprocess.CompletedProcess[str]:
        command = [str(self.python.with_name("boardroom")), *arguments]
        return self.started(command, self.folder, stdin, **environment)

    def started(
        self, command: list[str], folder: Path, stdin: str = "", **environment: str
    ) -> subprocess.CompletedProcess[str]:
        clean = {"PATH": f"{self.python.parent}:{os.environ['PATH']}", "HOME": str(self.folder), **environment}
        return subprocess.run(
            command,
            check=False,
            capture_output=True,
            text=True,
            input=stdin,
            cwd=folder,
            env=clean,
            timeout=PATIENCE,
        )

    def printed(self, *arguments: str, **environment: str) -> dict[str, object]:
        done = self.run(*arguments, "--json", **environment)
        assert done.returncode == 0, done.stdout + done.stderr
        output: dict[str, object] = json.loads(done.stdout)
        return output
