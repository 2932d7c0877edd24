"""Python with ONNX Runtime, and NumPy with it: networks trained at home. Recognised by bot.toml or by an import."""

import sys
from pathlib import Path

from bots.languages.language import Missing, Tool, ask
from bots.languages.numpy import NumPy
from bots.languages.python import Python

LOOK = """
import importlib.metadata, importlib.util
if found := importlib.util.find_spec("onnxruntime"):
    print(importlib.metadata.version("onnxruntime"), found.origin)"""
OLDEST = (1, 20)
# A product of two matrices, as its makers' format spells it.
MODEL = bytes.fromhex(
    "08083a400a110a01780a017812017922064d61744d756c1201675a130a0178120e0a0c080112080a0208020a02080262130a0179120e0a0c080112080a0208020a02080242040a00100d"
)
TRIAL = """import numpy, onnxruntime
alone = onnxruntime.SessionOptions()
alone.intra_op_num_threads = alone.inter_op_num_threads = 1
session = onnxruntime.InferenceSession(bytes.fromhex("{model}"), alone, providers=["CPUExecutionProvider"])
(product,) = session.run(None, {{"x": numpy.eye(2, dtype="float32") * 3}})
print("ready" if product.sum() == 18 else "wrong")
"""


class Onnx(Python):
    name, title = "onnx", "Python with ONNX Runtime"
    trial = TRIAL.format(model=MODEL.hex()).encode()
    remedy = f"python3 -m pip --python {sys.executable} install 'onnxruntime>={OLDEST[0]}.{OLDEST[1]}' 'numpy>=2'"

    def detect(self) -> Tool:
        """Return ONNX Runtime with the Python that has NumPy."""
        numpy = NumPy().detect()
        version, _, file = ask(numpy.command, "-P", "-c", LOOK).partition(" ")
        if not file:
            raise Missing(f"{numpy.command} has no ONNX Runtime")
        if _number(version) < OLDEST:
            raise Missing(f"{numpy.command} has ONNX Runtime {version}; bots need {OLDEST[0]}.{OLDEST[1]} or newer")
        return Tool(numpy.command, f"ONNX Runtime {version}, {numpy.version}", (*numpy.reads, str(Path(file).parent)))


def _number(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split(".")[:2] if part.isdecimal())
