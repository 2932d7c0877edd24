"""How DRF and drf-spectacular are set up; `tournaments.settings` takes both names from here.

Permissions and rate limits are in `tournaments.web.api.base.View`.
"""

from typing import Any

REST_FRAMEWORK: dict[str, Any] = {
    "DEFAULT_SCHEMA_CLASS": "tournaments.web.api.openapi.Schema",
    "DEFAULT_METADATA_CLASS": None,
    "EXCEPTION_HANDLER": "tournaments.web.api.exceptions.error_response",
    "NON_FIELD_ERRORS_KEY": "body",
    "URL_FORMAT_OVERRIDE": None,
}

SPECTACULAR_SETTINGS: dict[str, Any] = {
    "TITLE": "Boardroom",
    "DESCRIPTION": (
        "Upload bots, enter them in ladders, read standings, fetch replays. Lists are newest first; follow `next` "
        "until it is null. Whatever is refused answers with a stable `code` and a sentence in `detail`."
    ),
    "VERSION": "1",
    "OAS_VERSION": "3.1.0",
    "SERVE_INCLUDE_SCHEMA": False,
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "COMPONENT_SPLIT_REQUEST": True,  # so that an upload is a file going in
    "POSTPROCESSING_HOOKS": [
        "drf_spectacular.hooks.postprocess_schema_enums",
        "tournaments.web.api.openapi.answers_whole",
    ],
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "SWAGGER_UI_SETTINGS": {"persistAuthorization": False, "displayOperationId": False},
    "ENUM_NAME_OVERRIDES": {
        "VersionStatus": "tournaments.models.bots.Version.Status",
        "LadderStatus": "tournaments.models.ladders.Ladder.Status",
        "EntryStatus": "tournaments.models.ladders.Entry.Status",
        "MatchStatus": "tournaments.models.matches.Match.Status",
        "SetStatus": "tournaments.models.matches.MatchSet.Status",
        "TrialStatus": "tournaments.models.trials.Trial.Status",
        "Game": "tournaments.web.api.shapes.texts.GAME_CHOICES",
        "Verdict": "tournaments.web.api.shapes.texts.VERDICTS",
        "PracticeStatus": "tournaments.models.practice.Practice.Status",
        "DeliveryStatus": "tournaments.models.notices.Delivery.Status",
        "MatchKind": "tournaments.models.matches.MatchSet.Kind",
        "NoticeKind": "tournaments.models.notices.Notice.Kind",
        "ChosenKind": "tournaments.core.notices.channels.KINDS",
        "PostedKind": "tournaments.core.notices.channels.POSTED",
        "NewsKind": "tournaments.models.follows.NewsItem.Kind",
        "AttemptOutcome": "tournaments.models.attempts.Attempt.Outcome",
    },
}
