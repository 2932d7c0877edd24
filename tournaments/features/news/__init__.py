"""News of spaces and events, posted to the webhooks that belong to them."""

from tournaments.core.feature import Feature
from tournaments.features.news.posts import post_news

NEWS = Feature(name="news", happened=post_news)
