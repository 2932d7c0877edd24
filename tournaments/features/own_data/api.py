"""The user's own data: exported as a file, and erased. Neither a token nor a session alone is enough for this."""

from django.http import HttpResponse, StreamingHttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request

from tournaments.core.errors import Refused
from tournaments.features.own_data.archive import data_files
from tournaments.features.own_data.leaving import ask_to_erase
from tournaments.ledger.dumps.streamed_zip import zipped
from tournaments.models import User
from tournaments.web.api.authentication import SignedIn
from tournaments.web.api.base import View, api_user, read_form
from tournaments.web.api.inputs import Form, Text
from tournaments.web.api.parsers import Octets
from tournaments.web.api.throttles import guess_at, spend_request, was_right
from tournaments.web.api.tokens import pass_second_factor
from tournaments.web.server.request_rates import OWN_DATA


class ProofBody(Form):
    password = Text(max_length=1024, trim_whitespace=False)
    code = Text(max_length=40, required=False, default="", allow_blank=True, help_text="A code of the second factor.")


class EraseBody(ProofBody):
    name = Text(max_length=150, help_text="The account's name, to confirm.")


class OwnData(View):
    while_suspended = True
    permission_classes = (SignedIn,)
    renderer_classes = (Octets,)

    @extend_schema(request=ProofBody, responses={(200, "application/octet-stream"): OpenApiTypes.BINARY})
    def post(self, request: Request) -> StreamingHttpResponse:
        """All your data, as one zip file; its README explains the files."""
        user, given = api_user(request), read_form(ProofBody, request.data)
        check_proof(request, user, given["password"], given["code"])
        spend_request(OWN_DATA, str(user.pk))
        name = {"Content-Disposition": 'attachment; filename="boardroom-own-data.zip"'}
        return StreamingHttpResponse(zipped(data_files(user)), content_type="application/octet-stream", headers=name)


class Erase(View):
    while_suspended = True
    permission_classes = (SignedIn,)

    @extend_schema(request=EraseBody, responses={204: None})
    def post(self, request: Request) -> HttpResponse:
        """Shut your account at once, and erase it three days later. The site says what is deleted and what stays."""
        user, given = api_user(request), read_form(EraseBody, request.data)
        if given["name"] != user.username:
            raise Refused("other_name", f"This is not the name of this account, which is {user.username}.")
        check_proof(request, user, given["password"], given["code"])
        ask_to_erase(user=user)
        return HttpResponse(status=204)


def check_proof(request: Request, user: User, password: str, code: str) -> None:
    """Raises Refused: bad_password, code_needed, bad_code."""
    guess_at(request, user.username)
    if not user.check_password(password):
        raise Refused("bad_password", "This is not your password.")
    was_right(request, user.username)
    pass_second_factor(user, code)
