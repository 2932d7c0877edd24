"""The site's addresses: pages, the API, the organisers' admin."""

from django.contrib import admin
from django.urls import include, path

handler400 = "tournaments.pages.form_recovery.not_understood"
handler500 = "tournaments.pages.form_recovery.broken"
urlpatterns = [
    path("", include("tournaments.pages.urls")),
    path("api/v1/", include("tournaments.api.urls")),
    path("admin/", admin.site.urls),
]
