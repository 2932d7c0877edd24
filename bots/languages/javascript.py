"""JavaScript, run by Node without packages from anywhere."""

import os

from bots.languages.language import Language, Missing, Tool, ask, find_program

OLDEST = 18
WITHOUT_SETTINGS = f"--openssl-config={os.devnull}"  # else it looks for the machine's, and gives up if it may not read
APART = ("/usr/share/nodejs",)  # where Debian keeps parts of Node itself, without which it does not start


class JavaScript(Language):
    name, title = "javascript", "JavaScript"
    endings = (".js", ".mjs", ".cjs")
    trial = b"console.log('ready')\n"
    remedy = f"Install Node {OLDEST} or newer. Debian: apt-get install nodejs"
    reserves_mb = 1024  # before its first line, Node 20 has set aside 690 MB of addresses for 40 MB of memory

    def detect(self) -> Tool:
        command = find_program("node", "nodejs")
        version = ask(command, "--version").removeprefix("v")
        if not version.partition(".")[0].isdecimal() or int(version.partition(".")[0]) < OLDEST:
            raise Missing(f"{command} is Node {version}; bots need {OLDEST} or newer")
        return Tool(command, f"Node {version}", (command, *filter(os.path.isdir, APART)))

    def run(self, tool: Tool, folder: str, entry: str, memory_mb: int | None = None) -> list[str]:
        heap = [f"--max-old-space-size={memory_mb * 3 // 4}"] if memory_mb else []  # the rest is for buffers and code
        return [tool.command, WITHOUT_SETTINGS, *heap, f"{folder}/{entry}"]
