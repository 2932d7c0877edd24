"""The 48 companies and the numbers of the rulebook, as data.

Resources: basic R red, Y yellow, G green; intermediate O orange, K black; advanced W white, B blue. A split symbol
gives one resource of either of two kinds: a = R or Y, b = Y or G, c = R or G, f = O or K.
"""

from typing import Final, NamedTuple

EITHER: Final = {"a": "RY", "b": "YG", "c": "RG", "f": "OK"}
SCORES: Final = {"M": 3, "P": 6, "A": 15, "F": 30}  # mining, processing (intermediate, advanced), manufacturing


class Company(NamedTuple):
    id: str
    name: str
    inputs: str
    outputs: str

    @property
    def score(self) -> int:
        return SCORES[self.id[0]]

    @property
    def flexible(self) -> bool:
        """Whether its output symbols are split."""
        return any(symbol in EITHER for symbol in self.outputs)


COMPANIES: Final = (
    Company("M01", "Akita Copper", "", "RRR"),
    Company("M02", "Besshi Copper", "", "RRR"),
    Company("M03", "Niigata Oil", "", "YYY"),
    Company("M04", "Chiba Gas", "", "YYY"),
    Company("M05", "Kiso Timber", "", "GGG"),
    Company("M06", "Tosa Timber", "", "GGG"),
    Company("M07", "Iwate Metals", "", "RRY"),
    Company("M08", "Hida Lands", "", "RRG"),
    Company("M09", "Chikuho Fuels", "", "YYG"),
    Company("M10", "Sado Works", "", "YYR"),
    Company("M11", "Ehime Lands", "", "GGR"),
    Company("M12", "Shinano Farms", "", "GGY"),
    Company("M13", "Kushiro Ventures", "", "aa"),
    Company("M14", "Muroran Ventures", "", "aa"),
    Company("M15", "Joban Pits", "", "aa"),
    Company("M16", "Noto Prospects", "", "bb"),
    Company("M17", "Oki Prospects", "", "bb"),
    Company("M18", "Izu Prospects", "", "bb"),
    Company("M19", "Kii Holdings", "", "cc"),
    Company("M20", "Aso Holdings", "", "cc"),
    Company("M21", "Ishikari Holdings", "", "cc"),
    Company("P01", "Kobe Forge", "RR", "O"),
    Company("P02", "Sakai Foundry", "RR", "O"),
    Company("P03", "Osaka Alloys", "RY", "O"),
    Company("P04", "Kure Machine Parts", "RY", "O"),
    Company("P05", "Amagasaki Tools", "RY", "O"),
    Company("P06", "Suruga Pulp", "GG", "K"),
    Company("P07", "Shikoku Paper", "GG", "K"),
    Company("P08", "Toyama Reagents", "GY", "K"),
    Company("P09", "Nobeoka Fibres", "GY", "K"),
    Company("P10", "Matsuyama Resins", "GY", "K"),
    Company("P11", "Yokkaichi Refining", "YY", "f"),
    Company("P12", "Kawasaki Refining", "YY", "f"),
    Company("A01", "Suwa Instruments", "OGY", "W"),
    Company("A02", "Seto Ceramics", "OGY", "W"),
    Company("A03", "Hamana Optics", "OGG", "W"),
    Company("A04", "Nagoya Engines", "ORY", "W"),
    Company("A05", "Hiroshima Motors", "ORG", "W"),
    Company("A06", "Sendai Semiconductors", "KRY", "B"),
    Company("A07", "Kumamoto Circuits", "KRY", "B"),
    Company("A08", "Yokohama Relays", "KRR", "B"),
    Company("A09", "Tokushima Pharma", "KGY", "B"),
    Company("A10", "Tsukuba Labs", "KRG", "B"),
    Company("F01", "Consumer Electronics", "WBOG", ""),
    Company("F02", "Defence Systems", "WBKR", ""),
    Company("F03", "Aerospace", "WWGGY", ""),
    Company("F04", "Computing", "BBRRY", ""),
    Company("F05", "Robotics", "WBRG", ""),
)
CARDS: Final = {company.id: company for company in COMPANIES}

ROUNDS: Final = 4
INCOME: Final = 10  # T¥ for each player at the start of each round after the first
DEALT: Final = {2: 6, 3: 4, 4: 3}  # cards for each player and round, by the number of players
MONEY: Final = {2: (9, 10), 3: (8, 9, 10), 4: (9, 9, 10, 10)}  # T¥ at the start, from the first Commissioner on
