"""The admin's addresses. With them come its tables and all actions."""

from django.contrib import admin

urlpatterns = admin.site.get_urls()
