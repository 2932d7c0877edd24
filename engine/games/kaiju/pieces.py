"""The 117 cards and the numbers of the rulebook, as data.

Suits: C Construction, I Industrial, T Technology. Timing: Y pays on Your Turn, R on a Rival's Turn. Five of the cards
are wheels to turn and one says who starts; the rest are here.
"""

from typing import Final, Literal, NamedTuple

Suit = Literal["C", "I", "T"]
Timing = Literal["Y", "R"]
YOUR_TURN: Final = "Y"
RIVALS_TURN: Final = "R"

SUITS: Final[tuple[Suit, ...]] = ("C", "I", "T")
CITIES: Final = ("TYO", "MOS", "HKG", "SYD", "SFO")  # Tokyo, Moscow, Hong Kong, Sydney, San Francisco

BANK, MOST_MONEY = 5, 11  # at the start, and ever
RESEARCH_SPACES, KAIJU_SPACES = 5, 6  # of the two wheels; space 0 is Eureka, and the Kaiju
DISPLAY: Final = 3  # New Products face up
MAJORITY_VP: Final = 5
CITIES_VP: Final = (0, 0, 1, 2, 4, 7)  # by the number of different cities in a tableau
TRACK_CARDS, START_PLAYER_CARDS = 5, 1  # wheels and bank; they carry nothing else


class Company(NamedTuple):
    id: str
    name: str
    city: str


class Building(NamedTuple):
    id: str
    name: str
    suit: Suit
    city: str
    timing: Timing
    cost: int
    money: int
    research: int
    kaiju: int


class Special(NamedTuple):
    """A Special Action; what it does is told in `specials`."""

    id: str
    name: str
    suit: Suit
    cost: int


Kind = Literal["suit", "paying", "city", "set", "cities", "dear", "fixed"]


class Product(NamedTuple):
    """A New Product: what `kind` of Buildings it counts, `of` which sort, up to `most` VP. See `scoring`."""

    id: str
    name: str
    kind: Kind
    of: str
    most: int


class Kaiju(NamedTuple):
    """A Kaiju Attack card; what it does is told in `income`."""

    id: str
    name: str


COMPANIES: Final = (
    Company("C1", "Tsunamura Heavy Rebuilding", "TYO"),
    Company("C2", "Matryoshkorp", "MOS"),
    Company("C3", "Nine Claws Trading", "HKG"),
    Company("C4", "Dropbear & Daughters", "SYD"),
    Company("C5", "Faultline Ventures", "SFO"),
)
# Three for each city, the same three: no company has better cards than another.
_START: Final[tuple[tuple[int, str, Suit, Timing, int, int, int], ...]] = (
    (1, "Home Office", "C", "Y", 2, 0, 0),
    (2, "Old Works", "I", "Y", 2, 1, 1),
    (3, "Service Desk", "T", "R", 1, 0, 0),
)
START_CARDS: Final = tuple(
    Building(f"H{3 * number + offset:02}", name, suit, city, timing, 0, money, research, kaiju)
    for number, city in enumerate(CITIES)
    for offset, name, suit, timing, money, research, kaiju in _START
)
BUILDINGS: Final = (
    Building("B01", "Rubble Brokerage", "C", "TYO", "Y", 3, 2, 0, 0),
    Building("B02", "Crater-Front Condos", "C", "SFO", "Y", 4, 3, 0, 1),
    Building("B03", "Shelter Housing Bureau", "C", "MOS", "Y", 5, 3, 0, 0),
    Building("B04", "Seismic Survey Office", "C", "HKG", "Y", 6, 2, 1, 1),
    Building("B05", "Overnight Rebuild Yard", "C", "MOS", "Y", 5, 4, 0, 1),
    Building("B06", "Asbestos Recyclers", "C", "SYD", "Y", 4, 4, 0, 2),
    Building("B07", "Foundation Institute", "C", "SYD", "Y", 7, 3, 1, 1),
    Building("B08", "Skyline Replacement Works", "C", "HKG", "Y", 6, 5, 0, 2),
    Building("B09", "Debris Haulage Depot", "C", "HKG", "R", 3, 1, 0, 0),
    Building("B10", "Floodwall Gardens", "C", "SYD", "R", 2, 1, 0, -1),
    Building("B11", "Scaffold Rental Hall", "C", "TYO", "R", 4, 2, 0, 1),
    Building("B12", "Insurance Tower", "C", "TYO", "R", 5, 2, 0, 0),
    Building("B13", "Impact Testing Ground", "C", "SFO", "R", 6, 1, 1, 1),
    Building("B14", "Demolition Exchange", "C", "MOS", "R", 4, 3, 0, 2),
    Building("B15", "Quake-Proofing Lab", "C", "SFO", "R", 6, 2, 1, 2),
    Building("B16", "Armour Plate Mill", "I", "MOS", "Y", 6, 2, 1, 1),
    Building("B17", "Claw Salvage Dock", "I", "HKG", "Y", 7, 3, 1, 2),
    Building("B18", "Ration Cannery", "I", "SYD", "Y", 5, 3, 0, 1),
    Building("B19", "Blood Refinery", "I", "SFO", "Y", 8, 1, 2, 1),
    Building("B20", "Isotope Foundry", "I", "TYO", "Y", 9, 2, 2, 2),
    Building("B21", "Monster-Oil Terminal", "I", "TYO", "Y", 8, 4, 1, 3),
    Building("B22", "Tank Assembly Hall", "I", "SFO", "Y", 6, 4, 0, 1),
    Building("B23", "Parts Bazaar", "I", "MOS", "R", 3, 1, 0, 0),
    Building("B24", "Spore Kiln", "I", "HKG", "R", 6, 1, 1, 1),
    Building("B25", "Bone-Ash Reactor", "I", "SYD", "R", 9, 2, 1, 1),
    Building("B26", "Barge Yard", "I", "TYO", "R", 4, 2, 0, 1),
    Building("B27", "Serum Bottling Plant", "I", "HKG", "R", 8, 1, 1, 0),
    Building("B28", "Scale Tannery", "I", "SFO", "R", 7, 2, 1, 2),
    Building("B29", "Gland Extraction Plant", "I", "SYD", "R", 10, 1, 2, 2),
    Building("B30", "Siren Factory", "I", "MOS", "R", 6, 3, 0, 1),
    Building("B31", "Tremor App Studio", "T", "SYD", "Y", 5, 1, 1, 0),
    Building("B32", "Roar Acoustics Lab", "T", "TYO", "Y", 8, 0, 2, 0),
    Building("B33", "Spine-Chip Fab", "T", "SYD", "Y", 8, 1, 2, 1),
    Building("B34", "Evacuation Software House", "T", "HKG", "Y", 7, 2, 1, 0),
    Building("B35", "Genome Vault", "T", "MOS", "Y", 9, 0, 3, 1),
    Building("B36", "Rooftop Solar Park", "T", "SFO", "Y", 4, 2, 0, -1),
    Building("B37", "Plasma Breath Range", "T", "HKG", "Y", 10, 1, 3, 2),
    Building("B38", "Tide-Power Campus", "T", "TYO", "Y", 8, 2, 1, -1),
    Building("B39", "Sightings Call Centre", "T", "SYD", "R", 5, 0, 1, 0),
    Building("B40", "Air Scrubber Array", "T", "SFO", "R", 4, 0, 1, -1),
    Building("B41", "Forecast Bureau", "T", "MOS", "R", 8, 1, 1, 0),
    Building("B42", "Cleanup Drone Hangar", "T", "HKG", "R", 2, 1, 0, -1),
    Building("B43", "Egg Incubator", "T", "MOS", "R", 9, 0, 2, 1),
    Building("B44", "Decoy Robotics", "T", "TYO", "R", 6, 1, 1, 1),
    Building("B45", "Telepathy Ward", "T", "SFO", "R", 10, 1, 2, 2),
)
SPECIALS: Final = (
    Special("S01", "Disaster Relief Fund", "C", 0),
    Special("S02", "Prefab Contract", "C", 2),
    Special("S03", "Coastal Barrier", "C", 1),
    Special("S04", "Insurance Payout", "C", 1),
    Special("S05", "Double Shift", "I", 3),
    Special("S06", "Toxic Dumping", "I", 1),
    Special("S07", "Hostile Takeover", "I", 7),
    Special("S08", "Export Boom", "I", 1),
    Special("S09", "Crash Programme", "T", 4),
    Special("S10", "Kaiju Lure", "T", 3),
    Special("S11", "Patent Pool", "T", 3),
    Special("S12", "Industrial Espionage", "T", 4),
)
PRODUCTS: Final = (
    Product("N01", "Bone-Aggregate Concrete", "suit", "C", 6),
    Product("N02", "Kaiju-Leather Work Boots", "suit", "I", 6),
    Product("N03", "Neural Toaster", "suit", "T", 6),
    Product("N04", "Stomp-Proof Bunk Bed", "paying", "CY", 6),
    Product("N05", "Tail-Swipe Insurance", "paying", "CR", 6),
    Product("N06", "Atomic Barbecue", "paying", "IY", 6),
    Product("N07", "Second-Hand Tank", "paying", "IR", 6),
    Product("N08", "Pocket Geiger Phone", "paying", "TY", 6),
    Product("N09", "Roar-Cancelling Earmuffs", "paying", "TR", 6),
    Product("N10", "Neon Egg Nightlight", "city", "TYO", 7),
    Product("N11", "Samovar of Doom", "city", "MOS", 7),
    Product("N12", "Dim Sum of All Fears", "city", "HKG", 7),
    Product("N13", "Reef-Beast Sunscreen", "city", "SYD", 7),
    Product("N14", "Fog Horn Ringtone", "city", "SFO", 7),
    Product("N15", "Family Survival Hamper", "set", "", 9),
    Product("N16", "World Tour T-Shirt", "cities", "", 5),
    Product("N17", "Platinum Claw Watch", "dear", "", 8),
    Product("N18", "Kaijuskin Handbag", "fixed", "", 2),
    Product("N19", "Kaijuskin Handbag", "fixed", "", 2),
    Product("N20", "Kaijuskin Handbag", "fixed", "", 2),
    Product("N21", "Kaijuskin Handbag", "fixed", "", 2),
    Product("N22", "Kaijuskin Handbag", "fixed", "", 2),
)
KAIJU: Final = (
    Kaiju("K01", "Girdersaur"),
    Kaiju("K02", "Mortarra"),
    Kaiju("K03", "Smogzilch"),
    Kaiju("K04", "Rustodon"),
    Kaiju("K05", "Voltipede"),
    Kaiju("K06", "Glitchomoth"),
    Kaiju("K07", "Tollgator"),
    Kaiju("K08", "Amnesiasquid"),
    Kaiju("K09", "Homewrecka"),
    Kaiju("K10", "Snobra"),
    Kaiju("K11", "Auditaur"),
    Kaiju("K12", "Touristor"),
)

COMPANY: Final = {company.id: company for company in COMPANIES}
BUILDING: Final = {building.id: building for building in (*START_CARDS, *BUILDINGS)}
SPECIAL: Final = {special.id: special for special in SPECIALS}
PRODUCT: Final = {product.id: product for product in PRODUCTS}
THREAT: Final = {kaiju.id: kaiju for kaiju in KAIJU}
HANDBAGS: Final = tuple(product.id for product in PRODUCTS if product.kind == "fixed")
DECK: Final = (*(building.id for building in BUILDINGS), *(special.id for special in SPECIALS))
COST: Final = {
    **{card: piece.cost for card, piece in BUILDING.items()},
    **{card: piece.cost for card, piece in SPECIAL.items()},
}
SUIT: Final = {
    **{card: piece.suit for card, piece in BUILDING.items()},
    **{card: piece.suit for card, piece in SPECIAL.items()},
}
PAYS_ON: Final = {building.id: building.suit + building.timing for building in BUILDING.values()}  # such as "CY"
NAMES: Final = {card.id: card.name for cards in (BUILDING, SPECIAL, PRODUCT, THREAT) for card in cards.values()}


def is_start(card: str) -> bool:
    """Start cards that are lost leave the game: they cost nothing, so nobody may draft them."""
    return card[0] == "H"
