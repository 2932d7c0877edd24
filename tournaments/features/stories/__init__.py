"""Headlines of matches, for lists and feeds. The dispatcher makes each once from the replay and keeps it with the
result, as a sentence without names; a match's own page makes the whole story from its film."""

from tournaments.core.feature import Feature, Step
from tournaments.features.stories.steps import PENDING, keep_headlines

STORIES = Feature(name="stories", steps=(Step(name="stories", run=keep_headlines, every=2.0, pending=PENDING),))
