"""The public log of organisers' acts."""

from dataclasses import asdict
from typing import Any

from django.http import StreamingHttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.audit import moment_text
from tournaments.audit.log import LEFT_OUT, entry_for, load_details, log_lines
from tournaments.core.accounts.spaces import spaces_open_to
from tournaments.models import Act
from tournaments.web.api.base import View, paged
from tournaments.web.api.inputs import PageQuery
from tournaments.web.api.openapi import list_shape
from tournaments.web.api.shapes.texts import Digest


class Acts(serializers.ListSerializer[Any]):
    def to_representation(self, data: Any) -> Any:
        load_details(data)
        return super().to_representation(data)


class ActShape(serializers.ModelSerializer[Act]):
    detail = serializers.DictField(
        help_text="What changed; ratings before and after where they did, as text. In lists `left_out` if too long."
    )
    at = serializers.SerializerMethodField()
    previous = Digest(help_text="The digest of the entry before.")
    digest = Digest(help_text="SHA-256 of the entry's canonical JSON; see docs/security.md.")
    salts = serializers.DictField(help_text="Salts of the sealed parts; none in older entries.")
    erased = serializers.DictField(help_text="Seals of parts from which names of erased accounts were removed.")

    class Meta:
        model = Act
        list_serializer_class = Acts
        fields = ("number", "kind", "by", "subject", "reason", "detail", "at", "previous", "digest", "salts", "erased")

    def to_representation(self, instance: Act) -> dict[str, Any]:
        """Sealed for those who do not see its space."""
        seen = spaces_open_to(self.context["viewer"])
        if instance.space_id is None or seen.filter(pk=instance.space_id).exists():
            return super().to_representation(instance)
        act = Act.objects.get(pk=instance.pk) if instance.detail == LEFT_OUT else instance  # a seal is of all of it
        sealed = {name: value for name, value in asdict(entry_for(act, ())).items() if name not in ("at", "number")}
        return {**super().to_representation(instance), **sealed}

    def get_at(self, act: Act) -> str:
        """As it is in the digest."""
        return moment_text(act.at)


def spaces_seen(request: Request) -> set[int]:
    return set(spaces_open_to(request.user).values_list("pk", flat=True))


class Audit(View):
    @extend_schema(parameters=[PageQuery], responses=list_shape(ActShape))
    def get(self, request: Request) -> Response:
        """What organisers did, the newest first."""
        return paged(ActShape, request, Act.objects.defer("detail"))


class AuditLines(View):
    @extend_schema(responses={(200, "application/x-ndjson"): OpenApiTypes.STR})
    def get(self, request: Request) -> StreamingHttpResponse:
        """The whole log as JSON Lines, the oldest first: `python3 -m tournaments.audit` checks its chain."""
        name: dict[str, Any] = {"Content-Disposition": 'attachment; filename="audit.jsonl"'}
        return StreamingHttpResponse(log_lines(spaces_seen(request)), content_type="application/x-ndjson", headers=name)
