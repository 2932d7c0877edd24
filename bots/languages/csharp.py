"""C#, at home alone: by Mono, or by .NET where that is not. No site runs it, for neither starts in a box."""

from collections.abc import Sequence
from pathlib import Path
from shutil import which

from bots.languages.language import PROGRAM, Language, Missing, Tool, ask, find_program

PROJECT = "bot.csproj"
BUILT = ".out"
# What .NET makes is a folder, and must be called as it is: the program only names it.
STARTS = """printf '#!/bin/sh\\nexec "%s" "%s"\\n' "$0" "$1" > "$2" """


class CSharp(Language):
    name, title = "csharp", "C#"
    endings = (".cs",)
    trial = b'public static class Bot { public static void Main() { System.Console.WriteLine("ready"); } }\n'
    remedy = "Install Mono, or .NET. Debian: apt-get install mono-mcs mono-runtime"
    built = home_only = True

    def detect(self) -> Tool:
        if which("mono") and (compiler := which("mcs")):
            return Tool(compiler, ask(compiler, "--version"))
        try:
            command = find_program("dotnet")
        except Missing:
            raise Missing("no mcs with mono, and no dotnet on the path") from None
        return Tool(command, f".NET {ask(command, '--version')}")

    def entries(self) -> list[str]:
        return ["Bot.cs", "Main.cs", "Program.cs"]

    def build(self, tool: Tool, folder: str, sources: Sequence[str], program: str) -> list[str]:
        if not _is_dotnet(tool.command):
            return [tool.command, "-nologo", "-optimize+", f"-out:{program}", *(f"{folder}/{path}" for path in sources)]
        places = ["-o", f"{program}{BUILT}", f"-p:BaseIntermediateOutputPath={program}.obj/"]
        return [tool.command, "build", f"{folder}/{PROJECT}", "-c", "Release", "-nologo", "-v", "quiet", *places]

    def at_home(self, command: Sequence[str]) -> list[list[str]]:
        if not _is_dotnet(command[0]):
            return [list(command)]
        made = command[command.index("-o") + 1]
        starts = ["/bin/sh", "-c", STARTS, command[0], f"{made}/bot.dll", made.removesuffix(BUILT)]
        return [list(command), starts]

    def run(self, tool: Tool, folder: str, entry: str, memory_mb: int | None = None) -> list[str]:  # noqa: ARG002
        program = f"{folder}/{PROGRAM}"
        return [program] if _is_dotnet(tool.command) else [find_program("mono"), program]


def _is_dotnet(command: str) -> bool:
    return Path(command).name == "dotnet"
