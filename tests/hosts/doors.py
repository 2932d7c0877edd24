"""The site's doors to other hosts: TLS before what itself listens on this machine alone."""

import asyncio
import socket
import ssl
import subprocess
from asyncio import StreamReader, StreamWriter
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from threading import Thread

from tests.hosts.lines import SITE, inside


class Certificate:
    """Made for the site's address, signed by itself: so it is its own authority."""

    def __init__(self, folder: Path, name: str) -> None:
        self.file, self.key = folder / f"{name}.pem", folder / f"{name}.key"
        kind = ("-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2")
        names = ("-subj", f"/CN={name}", "-addext", f"subjectAltName=IP:{SITE}")
        files = ("-keyout", str(self.key), "-out", str(self.file))
        subprocess.run(["openssl", "req", *kind, *names, *files], check=True, capture_output=True)

    @property
    def context(self) -> ssl.SSLContext:
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        context.load_cert_chain(self.file, self.key)
        return context


class Doors:
    """Each listens at a port of a host, and leads to a socket or a port of this machine."""

    def __init__(self) -> None:
        self.loop = asyncio.new_event_loop()
        self.servers: list[asyncio.Server] = []
        self._thread = Thread(target=self.loop.run_forever, name="doors", daemon=True)
        self._thread.start()

    def open(self, host: str, leads_to: str | int, certificate: Certificate | None = None) -> int:
        """One more, on that host. Returns its port. Without a certificate it speaks no TLS."""
        with inside(host):
            listening = socket.create_server((SITE, 0))
        context = certificate.context if certificate else None

        async def visit(reader: StreamReader, writer: StreamWriter) -> None:
            await carry(reader, writer, leads_to)

        serving = asyncio.start_server(visit, sock=listening, ssl=context)
        self.servers.append(asyncio.run_coroutine_threadsafe(serving, self.loop).result(10))
        return int(listening.getsockname()[1])

    def close(self) -> None:
        asyncio.run_coroutine_threadsafe(self._end(), self.loop).result(10)
        self.loop.call_soon_threadsafe(self.loop.stop)
        self._thread.join()
        self.loop.close()

    async def _end(self) -> None:
        for server in self.servers:
            server.close()
        visits = asyncio.all_tasks() - {asyncio.current_task()}
        for visit in visits:
            visit.cancel()
        await asyncio.gather(*visits, return_exceptions=True)
        await asyncio.sleep(0)  # until what was aborted is closed


async def carry(reader: StreamReader, writer: StreamWriter, leads_to: str | int) -> None:
    with suppress(OSError), _ending(writer):
        inner, outer = await _behind(leads_to)
        with _ending(outer):
            await asyncio.gather(_pour(reader, outer), _pour(inner, writer))


@contextmanager
def _ending(writer: StreamWriter) -> Iterator[None]:
    """However it ends; nobody waits until the other side has understood."""
    try:
        yield
    finally:
        writer.transport.abort()


async def _behind(leads_to: str | int) -> tuple[StreamReader, StreamWriter]:
    if isinstance(leads_to, str):
        return await asyncio.open_unix_connection(leads_to)
    return await asyncio.open_connection("127.0.0.1", leads_to)


async def _pour(reader: StreamReader, writer: StreamWriter) -> None:
    with suppress(OSError), closing(writer):
        while data := await reader.read(65536):
            writer.write(data)
            await writer.drain()
