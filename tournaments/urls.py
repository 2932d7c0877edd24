"""The site's addresses: pages, the API, the organisers' admin."""

from django.urls import include, path

from tournaments.config.routes import Section

handler400 = "tournaments.pages.form_recovery.not_understood"
handler500 = "tournaments.pages.form_recovery.broken"
urlpatterns = [
    path("", include("tournaments.pages.urls")),
    Section("api/v1/", "tournaments.api.urls", "api"),
    Section("admin/", "tournaments.admin.urls", "admin"),
]
