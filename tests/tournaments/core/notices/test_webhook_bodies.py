"""What each receiver of webhooks is sent, as it documents its messages."""

import json
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any

import pytest

from tests.factories import a_user
from tests.tournaments.core.notices.conftest import Listener
from tournaments.core.notices.create import notice_values, notify
from tournaments.core.notices.delivery import deliver_due
from tournaments.core.notices.webhook_bodies import BODIES, body_of
from tournaments.core.notices.webhooks import add_webhook
from tournaments.models import Notice, Webhook

PAGE = "http://127.0.0.1:8000/bots/7/"
HOSTILE = "<!channel> @everyone <@1> [win](https://evil.example) *b* _i_ `c` & <https://evil.example|win> #a"


def sent(receiver: str, text: str) -> dict[str, Any]:
    notice = Notice(kind="rank", text=text, path="/bots/7/", at=datetime(2026, 11, 29, tzinfo=UTC), detail={"bot": 7})
    body: dict[str, Any] = json.loads(body_of(Webhook(receiver=receiver), notice))
    return body


# Of a message that has nothing to escape.
PLAIN: Mapping[str, object] = {
    "json": {
        "type": "boardroom.rank",
        "timestamp": "2026-11-29T00:00:00+00:00",
        "data": {"text": "Orchid went up", "url": PAGE, "bot": 7},
    },
    # docs.slack.dev/messaging/sending-messages-using-incoming-webhooks
    "slack": {
        "text": "Orchid went up",
        "blocks": [
            {"type": "section", "text": {"type": "plain_text", "text": "Orchid went up", "emoji": False}},
            {"type": "context", "elements": [{"type": "mrkdwn", "text": f"<{PAGE}>"}]},
        ],
    },
    # discord.com/developers/docs/resources/webhook#execute-webhook
    "discord": {"content": f"Orchid went up\n{PAGE}", "allowed_mentions": {"parse": []}},
    # developers.mattermost.com/integrate/webhooks/incoming
    "mattermost": {"text": f"Orchid went up\n{PAGE}"},
    # learn.microsoft.com/microsoftteams/platform/webhooks-and-connectors/how-to/connectors-using, and the schema of
    # Adaptive Cards: of a text run "Markdown is not supported"
    "teams": {
        "type": "message",
        "attachments": [
            {
                "contentType": "application/vnd.microsoft.card.adaptive",
                "contentUrl": None,
                "content": {
                    "$schema": "http://adaptivecards.io/schemas/adaptive-card.json",
                    "type": "AdaptiveCard",
                    "version": "1.2",
                    "body": [{"type": "RichTextBlock", "inlines": [{"type": "TextRun", "text": "Orchid went up"}]}],
                    "actions": [{"type": "Action.OpenUrl", "title": "Open the page", "url": PAGE}],
                },
            }
        ],
    },
}


def test_each_receiver_has_a_body() -> None:
    assert set(BODIES) == set(Webhook.Receiver.values) == set(PLAIN)


@pytest.mark.parametrize("receiver", PLAIN)
def test_a_message_has_the_form_that_its_receiver_documents(receiver: str) -> None:
    assert sent(receiver, "Orchid went up") == PLAIN[receiver]


def test_slack_takes_nothing_in_a_name_for_a_mention_or_a_link() -> None:
    body = sent("slack", HOSTILE)
    text, plain = body["text"], body["blocks"][0]["text"]
    assert plain == {"type": "plain_text", "text": text, "emoji": False}  # in which no mark formats
    assert "<" not in text
    assert ">" not in text
    assert text.startswith("&lt;!channel&gt; @everyone &lt; @1&gt; ")
    assert " &amp; " in text


def test_discord_shows_marks_as_they_were_typed_and_mentions_nobody() -> None:
    body = sent("discord", HOSTILE)
    assert body["allowed_mentions"] == {"parse": []}
    for mark in (r"\<\!channel\>", r"\< \@1\>", r"\[win\]\(", r"\*b\*", r"\_i\_", r"\`c\`", r"\#a"):
        assert mark in body["content"]


# What fits, as each documents it: characters of a text, bytes of a card. Older Mattermosts took 4,000 characters.
LIMITS: Mapping[str, tuple[Callable[[dict[str, Any]], str], int]] = {
    "slack": (lambda body: str(body["blocks"][0]["text"]["text"]), 3000),
    "discord": (lambda body: str(body["content"]), 2000),
    "mattermost": (lambda body: str(body["text"]), 4000),
    "teams": (json.dumps, 28_000),
}


@pytest.mark.parametrize("receiver", LIMITS)
@pytest.mark.parametrize("mark", ["&", "*", "@", "<", "\N{FACE WITH TEARS OF JOY}", "a"])
def test_the_longest_notice_fits(receiver: str, mark: str) -> None:
    values = notice_values("rank", mark * 500, "/" + "x" * 300, {})
    notice = Notice(at=datetime(2026, 11, 29, tzinfo=UTC), **values)
    body = json.loads(body_of(Webhook(receiver=receiver), notice))
    part, most = LIMITS[receiver]
    assert 400 <= len(part(body)) <= most


def test_mattermost_finds_no_at_sign_to_mention_and_no_link_of_slacks() -> None:
    text = sent("mattermost", HOSTILE)["text"].removesuffix(f"\n{PAGE}")
    assert "<" not in text
    assert "@everyone" not in text
    assert "@\N{ZERO WIDTH SPACE}everyone" in text
    assert r"\*b\*" in text


@pytest.mark.parametrize("receiver", ["slack", "discord", "mattermost", "teams"])
def test_the_only_link_in_a_chat_is_ours(receiver: str) -> None:
    assert "https://evil" not in json.dumps(sent(receiver, HOSTILE))
    assert "evil.example" not in json.dumps(sent(receiver, HOSTILE)).replace("\\", "")


@pytest.mark.django_db(transaction=True)
def test_programs_get_a_signature_and_chats_get_none(listener: Listener) -> None:
    user = a_user()
    for receiver in ("json", "slack"):
        add_webhook(user=user, url=listener.url, kinds=["fault"], receiver=receiver)
    notify([user], "fault", "a", "Orchid was at fault.", "/bots/7/")
    while deliver_due():
        pass
    bodies = {"webhook-signature" in headers: json.loads(body) for headers, body in listener.heard}
    assert bodies[True]["type"] == "boardroom.fault"
    assert bodies[False]["text"] == "Orchid was at fault."
