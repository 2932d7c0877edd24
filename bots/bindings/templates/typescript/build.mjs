// Makes the .js files that play of the .ts files here, by whichever is found first: Node itself (22.13 or newer), esbuild, tsc.
import { spawnSync } from "node:child_process";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import * as node from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const sources = readdirSync(here).filter((name) => name.endsWith(".ts") && !name.endsWith(".d.ts"));

function stop(sentence) {
  console.error(sentence);
  process.exit(1);
}

/** Node takes the types out, and says what is wrong in a file without the file's name. */
function byNode() {
  for (const name of sources) {
    try {
      const made = node.stripTypeScriptTypes(readFileSync(join(here, name), "utf8"));
      writeFileSync(join(here, name.replace(/\.ts$/, ".js")), made);
    } catch (reason) {
      stop(`${name}: ${reason.message}`);
    }
  }
}

/** Whether the command is here; what it complains of, with file and line, is shown as it is. */
function by(command, ...options) {
  for (const path of [join(here, "node_modules", ".bin", command), command]) {
    const ended = spawnSync(path, options, { cwd: here, stdio: ["ignore", "inherit", "inherit"] });
    if (!ended.error) {
      return ended.status === 0 || process.exit(1);
    }
  }
  return false;
}

if (node.stripTypeScriptTypes) {
  process.removeAllListeners("warning"); // it says each time that it is new
  byNode();
} else if (!by("esbuild", ...sources, "--format=esm", "--target=node18", "--outdir=.", "--log-level=warning") && !by("tsc")) {
  stop("missing tool: there is no Node 22.13, no esbuild and no tsc. Debian: apt-get install esbuild (or node-typescript)");
}
