"""Which words of a game's sentences have which icons."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from bots.viewer.svg import Markup

Icons = Callable[[str], Sequence[str]]  # of the words that were found


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """`drawn`: icons by name, in a box of 16 by 16. `words` name things; `patterns` find more."""

    drawn: Mapping[str, Markup]
    words: Mapping[str, Sequence[str]]
    patterns: Mapping[str, Icons] = field(default_factory=dict)

    def pattern(self) -> re.Pattern[str]:
        """Return the pattern of all words; where one begins as another, the longer one is meant."""
        words = "|".join(re.escape(word) for word in sorted(self.words, key=len, reverse=True))
        groups = [f"(?P<word>{words})", *(f"(?P<p{number}>{pattern})" for number, pattern in enumerate(self.patterns))]
        return re.compile(rf"(?<![\w-])(?:{'|'.join(groups)})(?!\w)")

    def icons_of(self, match: re.Match[str]) -> Sequence[str]:
        kind = match.lastgroup or "word"
        if kind == "word":
            return self.words[match[0]]
        finds = [*self.patterns.values()][int(kind.removeprefix("p"))]
        return [icon for icon in finds(match[0]) if icon in self.drawn]
