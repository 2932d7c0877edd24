// Plays one match over stdin and stdout: a line of JSON for each message.
import type { Answer, Event, Question, @view@ as View } from "./boardroom-@game@.js";

export type { Answer, Event, Question, View };

/** The CPU time of a bot, in milliseconds. */
export interface Clock {
  answer_ms: number;
  bank_ms: number;
  start_ms: number;
  increment_ms: number;
}

/** The greeting. */
export interface Hello {
  t: "hello";
  game: string;
  rules: number;
  seat: number;
  seats: number;
  options: Record<string, unknown>;
  clock: Clock;
  limits: Record<string, number>;
}

/** How the match ended, by seat. */
export interface End {
  t: "end";
  places: number[];
  scores: number[];
}

const QUESTIONS: readonly string[] = [@tags@];

interface Asked {
  t: "question";
  /** Your questions so far, from 1. */
  number: number;
  ask: Question;
  /** What your seat may know. */
  view: View;
  /** What your seat heard since its last question, oldest first. */
  events: Event[];
  /** CPU milliseconds left for the match. */
  left_ms: number;
}

/** A question with all that a seat may know. */
export type Turn = Asked & { hello: Hello };

// What is used of Node, so that no package with its types is needed.
declare const process: {
  env: Record<string, string | undefined>;
  stdin: { setEncoding(name: string): void; on(event: string, heard: (text: string) => void): void };
  stdout: { write(text: string): void };
  stderr: { write(text: string): void };
  exit(code: number): never;
};
declare const console: { log: unknown; error: unknown };

/** Plays until the end, of which `over` is told. Write with `console` what you want to see yourself: it goes to stderr. */
export function play(choose: (turn: Turn) => Answer, over: (end: End) => void = () => {}): void {
  let hello: Hello;
  let rest = "";
  console.log = console.error;

  function hear(message: Hello | Asked | End): void {
    if (message.t === "hello") {
      hello = message;
      say({ t: "ready" });
    } else if (message.t === "question") {
      must(message);
      say({ action: choose({ ...message, hello }) });
    } else {
      over(message);
    }
  }

  process.stdin.setEncoding("utf8");
  process.stdin.on("data", (text) => {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    lines.forEach((line) => hear(read(line)));
  });
}

function read(line: string): Hello | Asked | End {
  try {
    return JSON.parse(line);
  } catch (reason) {
    return stop(`the line is not JSON: ${line.slice(0, 60)} (${reason})`);
  }
}

/** What is looked at whatever a bot does with it. */
function must(message: Asked): void {
  if (!Number.isSafeInteger(message.number) || !Number.isSafeInteger(message.left_ms)) {
    stop(`number and left_ms must be whole numbers, not ${message.number} and ${message.left_ms}`);
  }
  if (!QUESTIONS.includes(message.ask?.t)) {
    stop(`the question must be one of ${QUESTIONS.join(", ")}, not ${JSON.stringify(message.ask)?.slice(0, 60)}`);
  }
}

function stop(sentence: string): never {
  process.stderr.write(`${sentence}\n`);
  return process.exit(1);
}

function say(message: unknown): void {
  process.stdout.write(`${JSON.stringify(message)}\n`);
}

/** A number that `boardroom tune` may set; `otherwise` is what it is when nobody does. */
export function parameter(name: string, otherwise: number): number {
  const set = process.env[`BOARDROOM_PARAM_${name}`];
  return set === undefined ? otherwise : Number(set);
}
