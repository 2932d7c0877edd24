"""A class on a ladder: a deadline with late days, marks by how likely each student's bot beats a panel, a gradebook.

Organisers set the deadline and the marking scheme. Uploads after the deadline are refused. The ladder deals sets
against the panel first, freezes when nobody can upload any more, and plays the final marks on fresh deals. Students see
their own row of the gradebook; organisers see all, as page, CSV and by the API.
"""

from django.utils.translation import gettext_noop

from tournaments.core.config.routes import routes_of
from tournaments.core.feature import Card, Feature, Link, Step, Tables
from tournaments.features.courses import deadlines, panel_tables
from tournaments.features.courses.actions import ExtendDeadline, SetDeadline, SetMarking, StartFinalMarks
from tournaments.features.courses.panel import course_of, drop_final_marks, dropping_final_marks
from tournaments.features.courses.steps import DUE, freeze_ended_courses
from tournaments.models import Ladder
from tournaments.web.pages.methods import seen, sent

page, endpoint = routes_of("tournaments.features.courses.pages"), routes_of("tournaments.features.courses.api")


def course_card(ladder: Ladder) -> Card | None:
    course = course_of(ladder)
    return Card("courses/_card.html", {"course": course}) if course else None


COURSES = Feature(
    name="courses",
    uses=("final_runs", "sign_on"),  # marks go to the learning platform
    steps=(Step(name="courses", run=freeze_ended_courses, pending=DUE),),
    actions=(SetMarking, SetDeadline, ExtendDeadline, StartFinalMarks),
    pages=(
        page("ladders/<slug:slug>/gradebook/", "gradebook", seen, name="gradebook"),
        page("ladders/<slug:slug>/gradebook/send/", "send_marks", sent, name="gradebook-send"),
        page("ladders/<slug:slug>/gradebook.csv", "gradebook_csv", seen, name="gradebook-csv"),
    ),
    endpoints=(endpoint("ladders/<slug:slug>/gradebook", "Gradebook", name="gradebook"),),
    before_upload=deadlines.check_uploads,
    before_activation=deadlines.check_keeps_version,
    before_entry=deadlines.check_entry,
    before_withdrawal=deadlines.check_withdrawal,
    ladder_opened=drop_final_marks,
    opening_says=dropping_final_marks,
    tables=Tables(panel_tables.wants_panel, panel_tables.panel_tables),
    ladder_card=course_card,
    ladder_links=(Link("gradebook", gettext_noop("Gradebook, deadline and marks")),),
)
