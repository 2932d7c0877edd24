// @title@: a bot of mine. README.md says what it is asked, what it sees and what it may answer.
import { play } from "./boardroom.js";
import type { Answer, Turn } from "./boardroom.js";

/** A legal answer to `turn.ask`; `turn.view` is what your seat may know. What is better is for you to find. */
function choose(turn: Turn): Answer {
  const ask = turn.ask;
  switch (ask.t) {
@cases@  }
  throw new Error(`a question of an unknown kind: ${JSON.stringify(ask)}`);
}

play(choose);
