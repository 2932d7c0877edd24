"""The public log of organisers' acts, as a chain that anyone can check. Standard library only, without Django."""

from tournaments.audit.chain import PARTS as PARTS
from tournaments.audit.chain import START as START
from tournaments.audit.chain import WHOLE as WHOLE
from tournaments.audit.chain import BrokenLog as BrokenLog
from tournaments.audit.chain import Entry as Entry
from tournaments.audit.chain import Head as Head
from tournaments.audit.chain import Plain as Plain
from tournaments.audit.chain import loggable_value as loggable_value
from tournaments.audit.chain import moment_text as moment_text
from tournaments.audit.chain import seal_part as seal_part
from tournaments.audit.lines import check_log as check_log
from tournaments.audit.lines import write_entry as write_entry
