"""What is posted to a webhook: signed JSON for programs, or a message in the form that a chat service documents.

A chat shows one link, to the page of the notice: what people wrote neither formats, links nor mentions anything there.
"""

import json
import re
from collections.abc import Callable, Mapping
from typing import Any

from django.conf import settings

from tournaments.core.config.plain_text import without_links
from tournaments.models import Notice, Webhook

MARKS = r"\\`*_{}\[\]()#+\-.!~|"  # which a backslash makes plain, at Discord and Mattermost
MATTERMOSTS, DISCORDS = re.compile(f"([{MARKS}])"), re.compile(f"([{MARKS}<>@:])")
ENTITIES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"})
UNMENTIONED = "@\N{ZERO WIDTH SPACE}"  # Mattermost has no other way to write an @ that mentions nobody
CARD = "application/vnd.microsoft.card.adaptive"

Body = Mapping[str, Any]


def program_body(notice: Notice) -> Body:
    """Return `{"type", "timestamp", "data": {"text", "url", ...}}`."""
    data = {"text": notice.text, "url": page_of(notice), **notice.detail}
    return {"type": f"boardroom.{notice.kind}", "timestamp": notice.at.isoformat(), "data": data}


def slack_body(notice: Notice) -> Body:
    """Return a message of Slack's: a block of plain text and one with the link. `text` is for previews; its three
    control characters are entities."""
    text = without_links(notice.text).translate(ENTITIES)
    plain = {"type": "plain_text", "text": text, "emoji": False}
    link = {"type": "mrkdwn", "text": f"<{page_of(notice)}>"}
    return {"text": text, "blocks": [{"type": "section", "text": plain}, {"type": "context", "elements": [link]}]}


def discord_body(notice: Notice) -> Body:
    """Return a message of Discord's, which mentions nobody. It has less than the 2,000 characters that fit."""
    text = DISCORDS.sub(r"\\\1", without_links(notice.text))
    return {"content": f"{text}\n{page_of(notice)}", "allowed_mentions": {"parse": []}}


def mattermost_body(notice: Notice) -> Body:
    """Return a message of Mattermost's, which reads Markdown and Slack's links and mentions."""
    text = MATTERMOSTS.sub(r"\\\1", without_links(notice.text).translate(ENTITIES)).replace("@", UNMENTIONED)
    return {"text": f"{text}\n{page_of(notice)}"}


def teams_body(notice: Notice) -> Body:
    """Return an Adaptive Card for a workflow of Teams. A text run, unlike a text block, reads no Markdown."""
    text = {"type": "RichTextBlock", "inlines": [{"type": "TextRun", "text": without_links(notice.text)}]}
    card = {
        "$schema": "http://adaptivecards.io/schemas/adaptive-card.json",
        "type": "AdaptiveCard",
        "version": "1.2",
        "body": [text],
        "actions": [{"type": "Action.OpenUrl", "title": "Open the page", "url": page_of(notice)}],
    }
    return {"type": "message", "attachments": [{"contentType": CARD, "contentUrl": None, "content": card}]}


def page_of(notice: Notice) -> str:
    return f"{settings.SITE_URL}{notice.path}"


BODIES: Mapping[str, Callable[[Notice], Body]] = {
    Webhook.Receiver.PROGRAM: program_body,
    Webhook.Receiver.SLACK: slack_body,
    Webhook.Receiver.DISCORD: discord_body,
    Webhook.Receiver.MATTERMOST: mattermost_body,
    Webhook.Receiver.TEAMS: teams_body,
}


def body_of(webhook: Webhook, notice: Notice) -> bytes:
    """Return the body as the webhook's receiver reads it."""
    return json.dumps(BODIES[webhook.receiver](notice), separators=(",", ":")).encode()
