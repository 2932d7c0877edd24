from django.views.decorators.http import require_http_methods, require_safe

from tournaments.config.routes import routes_of

page = routes_of("tournaments.pages.desk")
form = require_http_methods(["GET", "HEAD", "POST"])

urlpatterns = [
    page("desk/", "overview.desk", require_safe, name="desk"),
    page("desk/acts/<slug:kind>/", "acts.act", form, name="desk-act"),
    page("desk/new-ladder/", "ladders.new_ladder", form, name="desk-new-ladder"),
    page("desk/ladders/<slug:slug>/", "ladders.ladder", require_safe, name="desk-ladder"),
]
