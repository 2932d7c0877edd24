"""Typed SDKs for bots in other languages: a file of types made of a game's records, and the files that play."""

from bots.bindings import csharp, go, java, rust, typescript
from bots.bindings.generator import Generator

GENERATORS: dict[str, Generator] = {
    "rust": rust.GENERATOR,
    "go": go.GENERATOR,
    "java": java.GENERATOR,
    "typescript": typescript.GENERATOR,
    "csharp": csharp.GENERATOR,
}
