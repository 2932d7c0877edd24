"""All addresses there are at the door: it is served apart from the pages."""

from django.urls import re_path

from tournaments.features.worker_door.door_api import bundle_of_order, door, no_such_address

urlpatterns = [
    re_path(r"^door/(?P<verb>acquire|report|abort)$", door),
    re_path(r"^door/api/v1/bundles/(?P<sha256>[0-9a-f]{64})$", bundle_of_order),
    re_path("", no_such_address),
]
