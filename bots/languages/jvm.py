"""Runs a class of Java in this process: `jvm.py LIBRARY OPTION... CLASS ARGUMENT...`, the class with slashes.

`java` does the same, but its first thread waits for the one that runs the class by a futex that a box does not let
sleep, and it looks for itself in /proc, which a box does not have.
"""

import ctypes
import os
import sys
import threading
from collections.abc import Sequence
from ctypes import CFUNCTYPE, POINTER, Structure, byref, c_byte, c_char_p, c_int, c_void_p, cast, create_string_buffer
from typing import Any

VERSION = 0x000A0000  # of JNI
STACK = 8 << 20
ONE_ARENA = -8  # M_ARENA_MAX: each further one would set aside 64 MB of addresses
# Places of functions in the tables of the interface.
DESTROY, FIND_CLASS, DESCRIBE, STATIC_METHOD, CALL = 3, 6, 16, 113, 143
NEW_STRING, NEW_ARRAY, SET_ITEM, FAILED = 167, 172, 174, 228
STRING, MAIN = b"java/lang/String", b"([Ljava/lang/String;)V"


class Option(Structure):
    _fields_ = [("text", c_char_p), ("extra", c_void_p)]


class Arguments(Structure):
    _fields_ = [("version", c_int), ("count", c_int), ("options", POINTER(Option)), ("ignores", c_byte)]


class Table:
    """An object of the interface: it begins with a table of functions, which take it before all else."""

    def __init__(self) -> None:
        self.handle = c_void_p()

    def call(self, place: int, result: Any, *arguments: Any) -> Any:
        """Texts are bytes, whole numbers are its only numbers, and all else are handles."""
        functions = cast(self.handle, POINTER(POINTER(c_void_p))).contents
        given = [
            cast(create_string_buffer(argument), c_void_p) if isinstance(argument, bytes) else argument
            for argument in arguments
        ]
        kinds = [c_int if isinstance(argument, int) else c_void_p for argument in given]
        return CFUNCTYPE(result, c_void_p, *kinds)(functions[place])(self.handle, *given)

    def ask(self, place: int, *arguments: Any) -> c_void_p:
        """Something of Java's; nothing if it failed."""
        return c_void_p(self.call(place, c_void_p, *arguments))


def run_class(library: str, options: Sequence[str], name: str, arguments: Sequence[str]) -> int:
    machine, thread = Table(), Table()
    listed = (Option * len(options))(*(Option(option.encode(), None) for option in options))
    made = Arguments(VERSION, len(options), listed, 0)
    if ctypes.CDLL(library).JNI_CreateJavaVM(byref(machine.handle), byref(thread.handle), byref(made)):
        return 1
    start_main(thread, name, arguments)
    if thread.call(FAILED, c_byte):
        thread.call(DESCRIBE, None)
        return 1
    machine.call(DESTROY, c_int)  # waits for the other threads of the program
    return 0


def start_main(thread: Table, name: str, arguments: Sequence[str]) -> None:
    """Run the class's `main`. What goes wrong is then an exception of Java's."""
    if not (kind := thread.ask(FIND_CLASS, name.encode())).value:
        return
    if not (method := thread.ask(STATIC_METHOD, kind, b"main", MAIN)).value:
        return
    given = thread.ask(NEW_ARRAY, len(arguments), thread.ask(FIND_CLASS, STRING), c_void_p())
    for number, argument in enumerate(arguments):
        thread.call(SET_ITEM, None, given, number, thread.ask(NEW_STRING, argument.encode()))
    thread.call(CALL, None, kind, method, byref(given))


def main() -> None:
    library, *arguments = sys.argv[1:]
    begin = next(number for number, argument in enumerate(arguments) if not argument.startswith("-"))
    ctypes.CDLL(None).mallopt(ONE_ARENA, 1)
    threading.stack_size(STACK)
    ends: list[int] = []
    thread = threading.Thread(
        target=lambda: ends.append(run_class(library, arguments[:begin], arguments[begin], arguments[begin + 1 :]))
    )
    thread.start()
    thread.join()
    os._exit(ends[0] if ends else 1)


if __name__ == "__main__":
    main()
