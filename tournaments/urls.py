"""The site's addresses: pages, the API, the organisers' admin."""

from django.urls import include, path

from tournaments.core.config.routes import Section

handler400 = "tournaments.web.pages.form_recovery.not_understood"
handler500 = "tournaments.web.pages.form_recovery.broken"
urlpatterns = [
    path("", include("tournaments.site.urls")),
    Section("api/v1/", "tournaments.site.api_urls", "api"),
    Section("admin/", "tournaments.ops.admin.urls", "admin"),
]
