"""The tokens of a Python source, without what makes no other program: comments, empty lines, blanks between tokens.

The same on every Python: since 3.12 the tokenizer takes f-strings apart, and here they stay whole.
"""

import tokenize
from collections.abc import Iterator
from io import BytesIO

IDLE = {tokenize.COMMENT, tokenize.NL, tokenize.ENCODING, tokenize.ENDMARKER}
MARKS = {tokenize.NEWLINE: "\n", tokenize.INDENT: "\n>", tokenize.DEDENT: "\n<"}  # no token begins with a line end
TEMPLATES = ("FSTRING", "TSTRING")  # strings with expressions in them
OPENS = {getattr(tokenize, f"{kind}_START") for kind in TEMPLATES if hasattr(tokenize, f"{kind}_START")}
CLOSES = {getattr(tokenize, f"{kind}_END") for kind in TEMPLATES if hasattr(tokenize, f"{kind}_END")}
Place = tuple[int, int]  # line from 1, column


def tokens_of(source: bytes) -> bytes | None:
    """Return the source's tokens; None where this Python cannot read it: then its bytes are all there is to compare."""
    try:
        with BytesIO(source) as lines:
            encoding, _ = tokenize.detect_encoding(lines.readline)
        text = source.decode(encoding).split("\n")
        tokens = [*_written(tokenize.tokenize(BytesIO(source).readline), text)]
    except (tokenize.TokenError, SyntaxError, ValueError, LookupError):
        return None
    return "\0".join(tokens).encode(errors="surrogatepass")


def _written(tokens: Iterator[tokenize.TokenInfo], text: list[str]) -> Iterator[str]:
    """Return the text of each token; a string with expressions as it stands in the source."""
    inside, begin = 0, (0, 0)
    for token in tokens:
        if token.type in OPENS:
            begin = begin if inside else token.start
            inside += 1
        elif token.type in CLOSES:
            inside -= 1
            if not inside:
                yield _between(text, begin, token.end)
        elif not inside and token.type not in IDLE:
            yield MARKS.get(token.type, token.string)


def _between(text: list[str], begin: Place, end: Place) -> str:
    (first, column), (last, after) = begin, end
    lines = text[first - 1 : last]
    lines[-1] = lines[-1][:after]
    lines[0] = lines[0][column:]
    return "\n".join(lines)
