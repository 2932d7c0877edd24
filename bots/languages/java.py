"""Java, with the JDK's own classes alone: the entry is a class without a package, named as its file is."""

import re
import sys
from collections.abc import Sequence
from pathlib import Path, PurePosixPath

from bots.languages.language import PROGRAM, Language, Missing, Tool, find_program

OLDEST = 17
LAUNCHER = Path(__file__).with_name("jvm.py")
PACKER = Path(__file__).with_name("jar.py")
PYTHON = str(Path(getattr(sys, "_base_executable", sys.executable)).resolve())
# Whoever plays in one core's time, with 16 threads, wants no second one for collecting or for compiling, and few
# addresses set aside. What the machine has to say is said on stderr, for on stdout a bot speaks.
SMALL = (
    *("-XX:+IgnoreUnrecognizedVMOptions", "-XX:+UseSerialGC", "-XX:CICompilerCount=2", "-XX:-UsePerfData", "-Xrs"),
    *("-XX:-UseDynamicNumberOfCompilerThreads", "-XX:-MethodFlushing", "-XX:-UseNotificationThread"),
    *("-XX:ReservedCodeCacheSize=64m", "-XX:CompressedClassSpaceSize=64m"),
    *("-Xlog:disable", "-XX:-PrintWarnings", "-XX:+DisplayVMOutputToStderr"),
    "-Djava.security.egd=file:/dev/urandom",  # in a box there is no other device to draw from
)
BUILDS = ("-Xmx512m", "-XX:TieredStopAtLevel=1")  # a compiler is over before more pays
CLASSES = ".classes"
PUBLIC = re.compile(
    rb"^[ \t]*+public[ \t]++(?:(?:final|abstract|sealed|strictfp)[ \t]++)*+"
    rb"(?:class|record|enum|interface)[ \t]++([A-Za-z_]\w{0,99}+)",
    re.MULTILINE,
)
TRIAL = b"""class Bot {
    record Word(String it) {}
    public static void main(String[] given) throws Exception {
        var said = new String[1];
        var thread = new Thread(() -> said[0] = new Word("ready").it());
        thread.start();
        thread.join();
        System.out.println(said[0]);
    }
}
"""


class Java(Language):
    """`java` cannot run in a box (jvm.py), and `javac` is a class as any other. What it makes of the sources is packed
    into one file."""

    name, title = "java", "Java"
    endings = (".java",)
    trial = TRIAL
    remedy = f"Install a JDK {OLDEST} or newer. Debian: apt-get install default-jdk-headless"
    built = True
    reserves_mb = 768  # of addresses, for the heap as much as it may grow, code, classes and a dozen threads

    def detect(self) -> Tool:
        home = Path(find_program("javac")).resolve().parents[1]
        version = _release(home).get("JAVA_VERSION", "")
        if not (home / "lib/server/libjvm.so").is_file():
            raise Missing(f"{home} has no lib/server/libjvm.so")
        if not version.partition(".")[0].isdecimal() or int(version.partition(".")[0]) < OLDEST:
            raise Missing(f"{home} is Java {version}; bots need {OLDEST} or newer")
        return Tool(str(home / "bin" / "javac"), f"Java {version}", tuple(sorted((str(home), *_apart(home), PYTHON))))

    def entries(self) -> list[str]:
        return ["Bot.java", "Main.java"]

    def entry_of(self, source: bytes) -> str:
        match = PUBLIC.search(source)
        return f"{match[1].decode()}.java" if match else "Bot.java"

    def build(self, tool: Tool, folder: str, sources: Sequence[str], program: str) -> list[str]:
        files = [f"{folder}/{source}" for source in sources]
        return [tool.command, "-encoding", "utf-8", "-nowarn", "-proc:none", "-d", f"{program}{CLASSES}", *files]

    def at_home(self, command: Sequence[str]) -> list[list[str]]:
        return [list(command), _packing(command)]

    def steps(self, command: Sequence[str], temporary: str) -> list[list[str]]:  # noqa: ARG002
        compiling = [*_started(command[0], *BUILDS), "com/sun/tools/javac/Main", *command[1:]]
        return [compiling, _packing(command)]

    def run(self, tool: Tool, folder: str, entry: str, memory_mb: int | None = None) -> list[str]:
        path, name = f"{folder}/{PROGRAM}", PurePosixPath(entry).stem
        if memory_mb is None:
            return [str(Path(tool.command).with_name("java")), *SMALL, "-cp", path, name]
        return [*_started(tool.command, f"-Xmx{memory_mb * 3 // 4}m"), f"-Djava.class.path={path}", name]


def _packing(command: Sequence[str]) -> list[str]:
    """Puts the classes that a command of the compiler's leaves into one file. The first source is the entry."""
    place = command.index("-d") + 1
    classes, entry = command[place], command[place + 1]
    source = PACKER.read_text("utf-8")
    return [PYTHON, "-I", "-S", "-c", source, classes, classes.removesuffix(CLASSES), PurePosixPath(entry).stem]


def _started(compiler: str, *options: str) -> list[str]:
    """Return the command by which a class is started where `java` cannot be."""
    library = Path(compiler).parents[1] / "lib/server/libjvm.so"
    return [PYTHON, "-I", "-S", "-c", LAUNCHER.read_text("utf-8"), str(library), *SMALL, *options]


def _apart(home: Path) -> list[str]:
    """Return what Java does not do without, where it lies elsewhere: Debian keeps it in /etc."""
    file = home / "conf/security/java.security"
    return [str(file)] if file.is_symlink() else []


def _release(home: Path) -> dict[str, str]:
    """Return what a JDK says about itself."""
    file = home / "release"
    lines = file.read_text("utf-8").splitlines() if file.is_file() else []
    return {name: value.strip('"') for name, _, value in (line.partition("=") for line in lines)}
