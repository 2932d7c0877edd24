"""Reports to the organisers, and appeals against what they did."""

from typing import Any

from django.db.models import Q
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.core.accounts.organisers import organises
from tournaments.core.accounts.spaces import organised_by
from tournaments.features.moderation.complaints import LONGEST, appeal, concerns, other_organisers, report_abuse
from tournaments.models import Act, Appeal, Complaint, User
from tournaments.web.api.authentication import SignedIn
from tournaments.web.api.base import View, api_user, find_row, paged, read_form
from tournaments.web.api.inputs import BIGGEST_ID, Form, Number, PageQuery, Text
from tournaments.web.api.openapi import list_shape


class ReportBody(Form):
    about = Text(max_length=200, help_text="bot-7, person-NAME, team-7, note-7 (a version's) or announcement-7.")
    text = Text(max_length=LONGEST, help_text="What is wrong. Only organisers read it.")


class AppealBody(Form):
    act = Number(min_value=1, max_value=BIGGEST_ID, help_text="Its number in the log.")
    text = Text(max_length=LONGEST, help_text="Why it should be reviewed. Only organisers read it.")


class ReportShape(serializers.ModelSerializer[Complaint]):
    space = serializers.CharField(
        source="space.slug", default=None, allow_null=True, help_text="Whose organisers decide; null: the site's."
    )
    act = serializers.IntegerField(
        source="act.number", default=None, allow_null=True, help_text="The number of the act that closed it."
    )

    class Meta:
        model = Complaint
        fields = ("id", "about", "space", "text", "status", "act", "created_at")


class AppealShape(serializers.ModelSerializer[Appeal]):
    act = serializers.IntegerField(source="act.number", help_text="The act it is against.")
    answer = serializers.IntegerField(
        source="answer.number", default=None, allow_null=True, help_text="Number of the act that answers it."
    )
    reason = serializers.CharField(source="answer.reason", default="", help_text="The reason given in the answer.")

    class Meta:
        model = Appeal
        fields = ("id", "act", "text", "status", "answer", "reason", "created_at")


def looked_after(user: User, to_space: str = "space") -> Q:
    """One's own, and those of where one is an organiser."""
    return Q() if organises(user) else Q(by=user) | organised_by(user, to_space)


class Reports(View):
    permission_classes = (SignedIn,)

    @extend_schema(parameters=[PageQuery], responses=list_shape(ReportShape))
    def get(self, request: Request) -> Response:
        """Your reports; for organisers, all of their space or of the site except those about themselves. Their authors
        are not revealed."""
        user = api_user(request)
        rows = Complaint.objects.select_related("act", "space").filter(looked_after(user))
        waiting = rows.exclude(by=user).filter(status=Complaint.Status.OPEN)
        about_oneself = [
            complaint.pk
            for complaint in waiting
            if concerns(complaint, user) and other_organisers(user, complaint.space_id)
        ]
        return paged(ReportShape, request, rows.exclude(pk__in=about_oneself))

    @extend_schema(request=ReportBody, responses={201: ReportShape})
    def post(self, request: Request) -> Response:
        """Report something to the organisers. You get a notice with the result."""
        complaint = report_abuse(by=api_user(request), **read_form(ReportBody, request.data))
        return Response(ReportShape(complaint).data, 201)


class Appeals(View):
    permission_classes = (SignedIn,)
    while_suspended = True

    @extend_schema(parameters=[PageQuery], responses=list_shape(AppealShape))
    def get(self, request: Request) -> Response:
        """Your appeals; for organisers, all of their space or of the site."""
        user, rows = api_user(request), Appeal.objects.select_related("act", "answer")
        return paged(AppealShape, request, rows.filter(looked_after(user, "act__space")))

    @extend_schema(request=AppealBody, responses={201: AppealShape})
    def post(self, request: Request) -> Response:
        """Appeal against an act that concerns you, once; even while your account is suspended."""
        body: dict[str, Any] = read_form(AppealBody, request.data)
        act = find_row(Act.objects.all(), body["act"], number=body["act"])
        return Response(AppealShape(appeal(by=api_user(request), act=act, text=body["text"])).data, 201)
