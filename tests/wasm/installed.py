"""WebAssembly is an extra. Where it is not built, what needs it cannot run, and pytest's summary says so."""

import pytest

from workers.sandbox.errors import SandboxError
from workers.sandbox.wasm import pack


def why_not() -> str:
    try:
        pack.find_pack()
    except SandboxError as error:
        return str(error)
    return ""


NEEDS_THE_PACK = pytest.mark.skipif(bool(why_not()), reason=f"WEBASSEMBLY IS NOT TESTED: {why_not()}")
