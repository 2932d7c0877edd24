"""One bot in WebAssembly, driven turn by turn: a program by itself, made to run inside a box of the arena.

It knows no game and no protocol but its own, one JSON object a line, bytes as Latin-1 characters:

    in, once     {"files": {path: content}, "entry", "memory", "output", "fuel_per_ms", "line", "fuel"}
    in, a turn   {"line", "fuel"}, and {"last": true} if no line will follow
    out, a turn  {"out", "err", "fuel", "end", "code", "why"}

A turn begins when the bot gets a line and ends when it asks for the next one, or when it ends; only then is handed over
what it wrote and spent. So nothing depends on when the bot wrote it, and nobody thinks in another's time. `end` is ""
while the bot lives, else "exit" (with its code), "fuel" (all was spent), "output" (more than it may write) or "trap".
"""

import json
import random
import sys
from pathlib import Path
from typing import Any

from wasmtime import Config, Engine, Store, StoreContext, WasmtimeError
from wasmtime import _ffi as ffi
from wasmtime.component import Component, Linker, LinkerInstance, Record

CALL_OUT = 500_000  # fuel for each call out of the component, which costs the host far more than its few instructions
EPOCH_S = 946_684_800  # 1 January 2000: when every match begins
STACK = 4 << 20  # bytes; below it Python's own limit of recursion is met first
RANDOM_BYTE = 20_000  # fuel for each, on top of that
MOST_RANDOM = 256  # bytes asked for at once, as libc does


def new_engine() -> Engine:
    """An engine by whose settings alone fuel is the same everywhere, and what was compiled fit to be loaded."""
    config = Config()
    config.consume_fuel = True
    config.wasm_threads = False
    config.wasm_relaxed_simd = False  # its results may differ between processors, as may the bits of a NaN
    ffi.wasmtime_config_cranelift_nan_canonicalization_set(config.ptr(), True)  # noqa: FBT003
    ffi.wasmtime_config_async_stack_size_set(config.ptr(), 2 * STACK)  # never used, but it bounds the other
    ffi.wasmtime_config_max_wasm_stack_set(config.ptr(), STACK)
    return Engine(config)


class Runner:
    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.most_output, self.fuel_per_ms = 0, 1
        self.line: str | None = None  # for the bot, not yet taken
        self.last = False
        self.budget = self.spent = 0  # fuel: of this turn, and of those before
        self.out: list[str] = []
        self.err: list[str] = []
        self.written = 0
        self.flooded = False
        self.random = random.Random(0)

    def run(self, component: Component) -> None:
        order = self.hear()
        self.most_output, self.fuel_per_ms = order["output"], order["fuel_per_ms"]
        store = Store(self.engine)
        store.set_limits(memory_size=order["memory"])
        store.set_fuel(self.budget)
        linker = self.linker(component)
        try:
            instance = linker.instantiate(store, component)
            run = instance.get_func(store, "run")
            assert run is not None
            code = run(store, list(order["files"].items()), order["entry"])
        except WasmtimeError as error:
            left = store.get_fuel()
            end = "output" if self.flooded else "trap" if left else "fuel"
            self.tell(left, end, why=cause(error))
        else:
            self.tell(store.get_fuel(), "exit", code)

    # --- the table -------------------------------------------------------------------------------------------------

    def hear(self) -> dict[str, Any]:
        text = sys.stdin.readline()
        if not text:
            sys.exit()  # the table has gone
        order: dict[str, Any] = json.loads(text)
        self.line, self.budget, self.last = order["line"], order["fuel"], order.get("last", False)
        return order

    def tell(self, left: int, end: str = "", code: int = 0, why: str = "") -> None:
        used = self.budget - left
        self.spent += used
        turn = {"out": "".join(self.out), "err": "".join(self.err), "fuel": used, "end": end, "code": code, "why": why}
        self.out, self.err = [], []
        print(json.dumps(turn), flush=True)

    # --- what the component imports --------------------------------------------------------------------------------

    def linker(self, component: Component) -> Linker:
        """The imports of the component; any other ends the bot that calls it."""
        linker = Linker(self.engine)
        linker.allow_shadowing = True
        linker.define_unknown_imports_as_traps(component)
        with linker.root() as root:
            root.add_func("receive", self.receive)
            root.add_func("send", self.send)
            add(root, "wasi:cli/environment@0.2.9", dict.fromkeys(("get-environment", "get-arguments"), self.nothing))
            add(root, "wasi:filesystem/preopens@0.2.9", {"get-directories": self.nothing})
            add(root, "wasi:clocks/monotonic-clock@0.2.9", {"now": self.now, "resolution": lambda _: 1})
            add(root, "wasi:clocks/wall-clock@0.2.9", {"now": self.date})
            add(root, "wasi:random/random@0.2.9", {"get-random-bytes": self.random_bytes})
        return linker

    def receive(self, context: StoreContext) -> str:
        left = self.charge(context)
        if self.line is None:
            if self.last:
                return ""
            self.tell(left)
            self.hear()
            Store.set_fuel(context, self.budget)
        line, self.line = self.line, None
        return line or ""

    def send(self, context: StoreContext, descriptor: int, data: str) -> None:
        self.charge(context)
        self.written += len(data)
        if self.written > self.most_output:
            self.flooded = True
            raise WasmtimeError("too much output")
        if data:  # of empty ones there may be millions
            (self.out if descriptor == 1 else self.err).append(data)

    def nothing(self, context: StoreContext) -> list[object]:
        self.charge(context)
        return []

    def now(self, context: StoreContext) -> int:
        """Nanoseconds: time passes as fuel is spent."""
        return (self.spent + self.budget - self.charge(context)) * 1_000_000 // self.fuel_per_ms

    def date(self, context: StoreContext) -> Record:
        date: Any = Record()
        seconds, date.nanoseconds = divmod(self.now(context), 1_000_000_000)
        date.seconds = EPOCH_S + seconds
        return date

    def random_bytes(self, context: StoreContext, length: int) -> bytes:
        """The same for every bot in every match."""
        self.charge(context, CALL_OUT + length * RANDOM_BYTE)
        if length > MOST_RANDOM:
            raise WasmtimeError(f"{length} random bytes are too many at once")
        return self.random.randbytes(length)

    def charge(self, context: StoreContext, fee: int = CALL_OUT) -> int:
        """Take the fee for a call; what is left."""
        left: int = max(Store.get_fuel(context) - fee, 0)
        Store.set_fuel(context, left)
        return left


def add(root: LinkerInstance, interface: str, functions: dict[str, Any]) -> None:
    with root.add_instance(interface) as instance:
        for name, function in functions.items():
            instance.add_func(name, function)


def cause(error: WasmtimeError) -> str:
    """The reason, without the addresses of where."""
    if "wasi:cli/stderr" in str(error):  # where only Python's last words would go
        return "Python itself gave up, most likely for want of memory"
    return str(error).strip().rpartition("Caused by:")[2].strip()[-300:]


if __name__ == "__main__":
    engine = new_engine()
    Runner(engine).run(Component.deserialize_file(engine, str(Path(__file__).with_name("bot.cwasm"))))
