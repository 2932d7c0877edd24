"""A bot in JavaScript, straight on the protocol, with the types of its game for editors."""

import json

from bots.command.starters.first_answers import first_answers, parts
from engine.game import AnyGame

SOURCE = """// {title}: a bot of mine. README.md says what it is asked, what it sees and what it may answer.
// @ts-check

/** @typedef {{import("./boardroom-{game}").Question}} Question */
/** @typedef {{import("./boardroom-{game}").{view}}} View */
/** @typedef {{import("./boardroom-{game}").Answer}} Answer */

/**
 * @param {{Question}} ask
 * @param {{View}} view
 * @returns {{Answer}}
 */
function choose(ask, view) {{
  switch (ask.t) {{
{cases}
  }}
  throw new Error(`a question of an unknown kind: ${{JSON.stringify(ask)}}`);
}}

/** @param {{any}} message */
function reply(message) {{
  if (message.t === "hello") return {{ t: "ready" }};
  if (message.t === "question") return {{ action: choose(message.ask, message.view) }};
  return null; // the end
}}

require("readline")
  .createInterface({{ input: process.stdin }})
  .on("line", (line) => {{
    const answer = reply(JSON.parse(line));
    if (answer) process.stdout.write(JSON.stringify(answer) + "\\n");
  }});
"""


def javascript_source(game: AnyGame) -> str:
    answers = first_answers(game.name)
    cases = [f"    case {json.dumps(kind)}:\n      return {written(answer)};" for kind, answer in answers.items()]
    return SOURCE.format(title=game.title, game=game.name, view=game.view.__name__, cases="\n".join(cases))


def written(answer: str) -> str:
    """JSON is JavaScript; a reference between quotes is a name that is computed."""
    text = "".join(piece[0] if sign == "" else path_expression(sign, piece) for sign, piece in parts(answer))
    return text.replace('"ask', "[ask").replace(']":', "]]:").replace('":', '": ').replace(",", ", ")


def path_expression(sign: str, path: list[str]) -> str:
    expression = "ask" + "".join(f"[{name}]" if name.isdigit() else f".{name}" for name in path)
    return expression if sign == "$" else f"{expression}.map((_, number) => number)"
