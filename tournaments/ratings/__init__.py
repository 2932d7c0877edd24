"""Ratings: pure functions of a ladder's results, without Django."""

from tournaments.ratings.export import read as read
from tournaments.ratings.export import write as write
from tournaments.ratings.fit import Fit as Fit
from tournaments.ratings.fit import fit as fit
from tournaments.ratings.ledger import BadLedger as BadLedger
from tournaments.ratings.ledger import Game as Game
from tournaments.ratings.ledger import Ledger as Ledger
from tournaments.ratings.ledger import RatedSet as RatedSet
from tournaments.ratings.ledger import Version as Version
from tournaments.ratings.overall import Overall as Overall
from tournaments.ratings.overall import overall as overall
from tournaments.ratings.pairs import Pairs as Pairs
from tournaments.ratings.table import Row as Row
from tournaments.ratings.table import Table as Table
from tournaments.ratings.table import rows_of as rows_of
from tournaments.ratings.table import table_of as table_of
