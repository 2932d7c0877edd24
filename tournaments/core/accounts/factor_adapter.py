"""allauth.mfa, told who and where we are, and how its secrets are kept."""

from io import BytesIO
from typing import Any
from urllib.parse import urlsplit

from allauth.mfa.adapter import DefaultMFAAdapter
from django.conf import settings

from tournaments.core.accounts import factor_secrets
from tournaments.models import User


class Adapter(DefaultMFAAdapter):  # type: ignore[misc]  # it has no types
    def encrypt(self, text: str) -> str:
        return factor_secrets.seal_secret(text)

    def decrypt(self, encrypted_text: str) -> str:
        return factor_secrets.unseal(encrypted_text)

    def get_totp_label(self, user: User) -> str:
        return f"{self.get_totp_issuer()}:{user.username}"

    def get_totp_issuer(self) -> str:
        return f"Boardroom {self._get_site_name()}"

    def _get_site_name(self) -> str:
        """Return the site's name by our settings, never by the host that a request names."""
        return urlsplit(settings.SITE_URL).hostname or ""

    def build_totp_svg(self, url: str) -> str:
        """Dark on white, in the dark too."""
        from qrcode.image.svg import SvgPathFillImage
        from qrcode.main import QRCode

        drawn, code = BytesIO(), QRCode(border=4)
        code.add_data(url)
        code.make_image(SvgPathFillImage).save(drawn)
        return drawn.getvalue().decode()

    def get_public_key_credential_rp_entity(self) -> dict[str, str]:
        return {"id": self._get_site_name(), "name": self.get_totp_issuer()}

    def get_public_key_credential_user_entity(self, user: User) -> dict[str, Any]:
        """The name alone: an authenticator shows it, and an address is nobody else's business."""
        entity: dict[str, Any] = super().get_public_key_credential_user_entity(user)
        return {**entity, "name": user.username, "display_name": user.username}
