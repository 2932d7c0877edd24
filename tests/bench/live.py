"""What it costs to tell a match; and five hundred who watch one on this machine: how late the moments come to them."""

import asyncio
import json
import os
import tempfile
import time
from functools import partial
from itertools import product
from pathlib import Path
from statistics import median, quantiles

from redis import Redis

from engine.replay import Replay, read_replay
from tests.bench import Row
from tests.bench.system import BOTS, play_set, seconds, worker
from tests.factories import a_ladder, a_version, reports
from tests.ground import rows_of
from tests.tournaments.web.server.stand import Stand, a_stand
from tests.workers.hall import children
from tournaments.ledger.dispatch.leases import claim
from tournaments.ledger.dispatch.orders import order_of_set
from tournaments.ledger.matchmaking.ladder_sets import create_set
from workers.live import STREAM

TOLD = 12  # sets
VIEWERS, STEP = 500, 0.25  # seconds between two answers
APART = 0.01  # seconds: more requests at once, all of one address, are refused


def run() -> list[Row]:
    return rows_of(__name__)


def measure() -> list[Row]:
    return [*telling(), *watching()]


def telling() -> list[Row]:
    """Measure what it costs a worker to tell a match, in turns with matches that it keeps to itself."""
    times: dict[bool, list[float]] = {False: [], True: []}
    with (
        tempfile.TemporaryDirectory() as folder,
        worker(Path(folder) / "cache") as kit,
        Redis.from_url(os.environ["REDIS_URL"]) as broker,
    ):
        for number, sent in product(range(TOLD), times):
            kit.live = broker if sent else None
            times[sent].append(1000 * seconds(partial(play_set, number, kit)) / len(BOTS))
        held = (broker.memory_usage(STREAM.format(0)) or 0) / 1000
    told_ms, kept_ms = median(times[True]), median(times[False])
    ratio = median(live / kept for live, kept in zip(times[True], times[False], strict=True))
    how = f"{TOLD} sets of {', '.join(BOTS)}, each both ways, medians; in brackets what a match holds of Redis's memory"
    return [Row(f"a match that is told ({held:.0f} kB)", told_ms, "ms", "not told", kept_ms, ratio, "<= 1.05", how)]


def watching() -> list[Row]:
    made = create_set(ladder=a_ladder(), versions=[a_version().pk for _ in range(3)])
    report = reports(order_of_set(made, claim(match_set=made)))[0]
    with a_stand(LIVE_STREAMS=str(VIEWERS)) as stand:
        before, quiet = memory_kb(stand), cpu_s(stand)
        began = time.monotonic()
        lags, ended, frames, most = asyncio.run(watch(stand.port, report.match, read_replay(report.replay), stand))
        took, cpu = time.monotonic() - began, cpu_s(stand) - quiet
    usual, p95 = median(lags), quantiles(lags, n=20)[18]
    how = f"{VIEWERS} viewers of one match, an answer each {STEP * 1000:g} ms, all on this machine with what plays them"
    viewer_kb = (most - before) / VIEWERS
    return [
        Row("viewers that saw the end", ended, "", "who came", VIEWERS, ended / VIEWERS, ">= 1", how),
        Row(
            "moments delivered", len(lags), "", "told", frames * VIEWERS, len(lags) / (frames * VIEWERS), ">= 0.99", how
        ),
        Row("a moment's way, median", usual * 1000, "ms", "a round", 125, usual / 0.125, "", how),
        Row("a moment's way, p95", p95 * 1000, "ms", "a round", 125, p95 / 0.125, "<= 8", how),
        Row("memory of a viewer", viewer_kb, "kB", "of the server before", before, viewer_kb / before, "", how),
        Row("CPU of the server", cpu, "s", "of time", took, cpu / took, "<= 1", how),
    ]


async def watch(port: int, number: int, replay: Replay, server: Stand) -> tuple[list[float], int, int, float]:
    """The lags of all moments at all viewers, how many saw the end, how many moments there were, and the memory."""
    sent: dict[int, float] = {}
    lags: list[float] = []
    viewers = []
    for _ in range(VIEWERS):
        viewers.append(asyncio.create_task(view(port, number, sent, lags)))
        await asyncio.sleep(APART)
    await asyncio.sleep(10)  # until all are there
    with Redis.from_url(os.environ["REDIS_URL"]) as broker:
        for moment, answer in enumerate(replay.answers):
            over = moment == len(replay.answers) - 1
            word = {"from": moment, "answers": [answer], "absent": {}, "over": over}
            sent[moment + 1] = time.monotonic()
            broker.xadd(f"boardroom:live:{number}", {"lease": 1, "word": json.dumps(word)})
            await asyncio.sleep(STEP)
    most = memory_kb(server)
    ended = sum(await asyncio.gather(*viewers))
    return lags, ended, len(sent), most


async def view(port: int, number: int, sent: dict[int, float], lags: list[float]) -> bool:
    reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=1 << 20)
    writer.write(f"GET /live/matches/{number}/stream HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
    kind = b""
    while line := await reader.readline():
        if line.startswith(b"event: "):
            kind = line[7:-1]
        elif line.startswith(b"id: "):
            moment = int(line.rpartition(b"-")[2])
            if moment in sent:
                lags.append(time.monotonic() - sent[moment])
        if kind == b"over":
            break
    writer.close()
    return kind == b"over"


def memory_kb(stand: Stand) -> float:
    """Return the memory of the server and its children, as they alone have it."""
    return sum(
        int(line.split()[1])
        for pid in processes(stand)
        for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
        if line.startswith("Private")
    )


def cpu_s(stand: Stand) -> float:
    ticks = os.sysconf("SC_CLK_TCK")
    stats = [Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split() for pid in processes(stand)]
    return sum(int(stat[11]) + int(stat[12]) for stat in stats) / ticks


def processes(stand: Stand) -> set[int]:
    return {stand.process.pid, *children(stand.process.pid)}
