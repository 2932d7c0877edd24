"""A bot in C or C++, straight on the protocol: a small reader of JSON, and an answer for each question."""

import json

from bots.command.starters.first_answers import first_answers, parts
from engine.game import AnyGame

SOURCE = r"""/* {title}: a bot of mine. README.md says what it is asked, what it sees and what it may answer.
 *
 * `field(at, "name")` and `item(at, 0)` find a value in a JSON text, `count(at)` says how many an array has,
 * `value(at)` writes one as it is; `atoi(at)` reads a number.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Behind the value at `at`. */
static const char *skip(const char *at)
{{
    int depth = 0;
    do {{
        if (*at == '"') {{
            for (at++; *at && *at != '"'; at++)
                if (*at == '\\' && at[1])
                    at++;
        }} else if (*at == '{{' || *at == '[') {{
            depth++;
        }} else if (*at == '}}' || *at == ']') {{
            depth--;
        }} else {{
            while (at[1] && !strchr(",:{{}}[]\"", at[1]))
                at++;
        }}
        if (*at)
            at++;
    }} while (depth > 0 && *at);
    return at;
}}

static const char *missing(const char *what)
{{
    fprintf(stderr, "there is no %s\n", what);
    exit(1);
    return NULL;
}}

/* The value called `name` in the object at `at`. */
static const char *field(const char *at, const char *name)
{{
    size_t length = strlen(name);
    while (*at == '{{' || *at == ',') {{
        const char *key = at + 1, *found = skip(key) + 1;
        if (strncmp(key + 1, name, length) == 0 && key[length + 1] == '"')
            return found;
        at = skip(found);
    }}
    return missing(name);
}}

/* How many values the array at `at` has. */
static int count(const char *at)
{{
    int found = 0;
    for (at++; *at && *at != ']'; found++) {{
        at = skip(at);
        if (*at == ',')
            at++;
    }}
    return found;
}}

/* The value at place `number`, from 0, of the array at `at`. */
static const char *item(const char *at, int number)
{{
    if (number >= count(at))
        return missing("such item");
    for (at++; number > 0; number--)
        at = skip(at) + 1;
    return at;
}}

static void text(const char *words) {{ fputs(words, stdout); }}

static void value(const char *at) {{ fwrite(at, 1, (size_t)(skip(at) - at), stdout); }}

/* [0,1,2], as many as the array at `at` has. */
static inline void numbers(const char *at)
{{
    int many = count(at);
    for (int number = 0; number < many; number++)
        printf("%c%d", number ? ',' : '[', number);
    text(many ? "]" : "[]");
}}

static void choose(const char *ask, const char *view)
{{
    const char *kind = field(ask, "t");
    (void)view; /* what your seat may know: look into it */
{cases}
    else
        missing("answer to a question of that kind");
}}

int main(void)
{{
    char *line = NULL;
    size_t room = 0;
    setvbuf(stdout, NULL, _IOLBF, 0); /* each line leaves at once */
    while (getline(&line, &room, stdin) > 0) {{
        const char *kind = field(line, "t");
        if (strncmp(kind, "\"hello\"", 7) == 0) {{
            puts("{{\"t\":\"ready\"}}");
        }} else if (strncmp(kind, "\"question\"", 10) == 0) {{
            text("{{\"action\":");
            choose(field(line, "ask"), field(line, "view"));
            puts("}}");
        }}
    }}
    free(line);
    return 0;
}}
"""


def c_source(game: AnyGame) -> str:
    cases = [case(kind, answer) for kind, answer in first_answers(game.name).items()]
    return SOURCE.format(title=game.title, cases="\n    else ".join(["    " + cases[0], *cases[1:]]))


def case(kind: str, answer: str) -> str:
    quoted = json.dumps(f'"{kind}"')
    steps = "\n".join(f"        {reading_step(sign, piece)};" for sign, piece in parts(answer))
    return f"if (strncmp(kind, {quoted}, {len(kind) + 2}) == 0) {{\n{steps}\n    }}"


def reading_step(sign: str, piece: list[str]) -> str:
    if sign == "":
        return f"text({json.dumps(piece[0])})"
    expression = "ask"
    for name in piece:
        expression = f"item({expression}, {name})" if name.isdigit() else f"field({expression}, {json.dumps(name)})"
    return f"value({expression})" if sign == "$" else f"numbers({expression})"
