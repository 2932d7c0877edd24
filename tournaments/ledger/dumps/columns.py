"""The tables of a dump: their columns, and what these mean. Every column may be null."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

Kind = Literal["bool", "int", "float", "text", "time", "json", "bytes"]


@dataclass(frozen=True, slots=True)
class Column:
    """`kind` "time": microseconds since 1970 in Parquet, ISO 8601 in JSON. "bytes": base64 in JSON. `to`: the column of
    another table that it names."""

    name: str
    kind: Kind
    about: str
    to: str = ""


@dataclass(frozen=True, slots=True)
class Table:
    """`of_sets`: its rows belong to sets, and once these are over they hardly ever change."""

    name: str
    about: str
    columns: Sequence[Column]
    of_sets: bool = False


C = Column
SETS = Table(
    "sets",
    "One deal each, played as often as there are seats, the seats rotated. Only sets that are over.",
    (
        C("set", "int", "Its id."),
        C("number", "int", "In its ladder; null for one beside the ratings."),
        C("kind", "text", "ladder, event, trial or friendly."),
        C("event", "text", "The event's slug.", "events.event"),
        C("round", "int", "Of the event."),
        C("pairing", "text", "In the event: stage/round/table/repetition."),
        C("game", "text", "Its name."),
        C("rules", "int", "The version of its rules."),
        C("options", "json", "Of the game."),
        C("status", "text", "complete, cancelled or void."),
        C("rated", "bool", "Whether the ratings have taken it in."),
        C("counts", "bool", "False where a version in it is disqualified."),
        C("seed", "text", "That the deal is made from."),
        C("commitment", "text", "SHA-256 of the seed, public from the start."),
        C("created_at", "time", "When it was dealt."),
        C("ended_at", "time", "When its last match was over."),
    ),
    of_sets=True,
)
MATCHES = Table(
    "matches",
    "One play of a set's deal at one seating.",
    (
        C("match", "int", "Its id."),
        C("set", "int", "The set it is of.", "sets.set"),
        C("turn", "int", "Which rotation of the seats."),
        C("status", "text", "done, or cancelled or quarantined: not played."),
        C("created_at", "time", "When it was dealt."),
        C("recorded_at", "time", "When its result came."),
        C("digest", "text", "Of the replay."),
    ),
    of_sets=True,
)
SEATS = Table(
    "seats",
    "Who sat where, and how that seat fared.",
    (
        C("match", "int", "The match.", "matches.match"),
        C("seat", "int", "From 0."),
        C("version", "int", "Who sat there.", "versions.version"),
        C("score", "int", "By the rules."),
        C("place", "int", "1 is best; those who share one have the same."),
        C("verdict", "text", "ok, or the fault."),
        C("forfeited", "bool", "Whether faults ended its part."),
        C("cpu_ms", "float", "CPU time of its bot."),
        C("memory_mb", "float", "The most memory it held."),
    ),
    of_sets=True,
)
REPLAYS = Table(
    "replays",
    "Every match again, answer by answer; python3 -m engine.verify plays one.",
    (
        C("match", "int", "The match.", "matches.match"),
        C("replay", "bytes", "The replay's file, packed by gzip. In JSON Lines it is the replay itself, as an object."),
    ),
    of_sets=True,
)
VERSIONS = Table(
    "versions",
    "Who played: versions of bots, with the names that they have now.",
    (
        C("version", "int", "Its id."),
        C("number", "int", "Of the bot's versions."),
        C("bot", "int", "The bot's id."),
        C("name", "text", "The bot's."),
        C("owner", "text", "The owner's name; null where the account is shut."),
    ),
)
RATINGS = Table(
    "ratings",
    "The standings when the dump was made.",
    (
        C("rank", "int", "Null while it is provisional."),
        C("rank_lo", "int", "Its true rank lies from here, with 95 %,"),
        C("rank_hi", "int", "to here."),
        C("version", "int", "That plays.", "versions.version"),
        C("bot", "text", "The bot's name."),
        C("elo", "float", "On the familiar scale."),
        C("ci95", "float", "It lies within this of it, with 95 %."),
        C("elo_classic", "float", "By Elo's own update, set after set."),
        C("sets", "int", "That count."),
        C("games", "int", "That count."),
        C("provisional", "bool", "ci95 is more than 100, without the pull of the prior."),
    ),
)
EVENTS = Table(
    "events",
    "Tournaments under the ladder's settings, and who took part: a line for each entrant.",
    (
        C("event", "text", "Its slug."),
        C("title", "text", "Its title."),
        C("status", "text", "Of the event."),
        C("format", "json", "Of the event."),
        C("started_at", "time", "Null before the start."),
        C("ended_at", "time", "Null before the end."),
        C("bot", "int", "Who took part; the bot's id."),
        C("version", "int", "That played.", "versions.version"),
        C("place", "int", "In the end, when all results are public."),
    ),
)
TABLES: Mapping[str, Table] = {
    table.name: table for table in (SETS, MATCHES, SEATS, REPLAYS, VERSIONS, RATINGS, EVENTS)
}
