"""The admin's addresses. Importing this loads its tables and all actions."""

from django.contrib import admin

urlpatterns = admin.site.get_urls()
