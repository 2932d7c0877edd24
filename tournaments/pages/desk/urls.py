from django.urls import path
from django.views.decorators.http import require_http_methods, require_safe

from tournaments.pages.desk import acts, events, ladders, overview

form = require_http_methods(["GET", "HEAD", "POST"])

urlpatterns = [
    path("desk/", require_safe(overview.desk), name="desk"),
    path("desk/acts/<slug:kind>/", form(acts.act), name="desk-act"),
    path("desk/new-ladder/", form(ladders.new_ladder), name="desk-new-ladder"),
    path("desk/ladders/<slug:slug>/", require_safe(ladders.ladder), name="desk-ladder"),
    path("desk/new-event/", form(events.new_event), name="desk-new-event"),
    path("desk/events/<slug:slug>/", require_safe(events.event), name="desk-event"),
    path("desk/events/<slug:slug>/edit/", form(events.edit_event), name="desk-edit-event"),
]
