"""The public log of organisers' acts, as a chain that anyone can check. Standard library only, without Django."""

from tournaments.audit.chain import PARTS as PARTS
from tournaments.audit.chain import START as START
from tournaments.audit.chain import WHOLE as WHOLE
from tournaments.audit.chain import BrokenLog as BrokenLog
from tournaments.audit.chain import Entry as Entry
from tournaments.audit.chain import Head as Head
from tournaments.audit.chain import Plain as Plain
from tournaments.audit.chain import plain as plain
from tournaments.audit.chain import seal as seal
from tournaments.audit.chain import written as written
from tournaments.audit.lines import check as check
from tournaments.audit.lines import read as read
from tournaments.audit.lines import write as write
