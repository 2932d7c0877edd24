"""What goes with answers: gifts first, then Hackers and Viruses, and words. And the trade window."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import compress

from engine.core import Flow, Seat, ask, ask_all, tell
from engine.games.shangzhou.control import all_agents
from engine.games.shangzhou.events import Dropped, Given, Offered, Said, Traded, Used
from engine.games.shangzhou.goods import Goods, Message, Proposal, Use
from engine.games.shangzhou.pieces import MESSAGES, SAYINGS, SECTORS
from engine.games.shangzhou.position import Position
from engine.games.shangzhou.questions import A, Asked, Extras, ToAccept, ToOffer
from engine.sentences import Sentence


def extras_for(at: Position, seat: Seat) -> Extras:
    """What may go with the next answer of `seat`."""
    trade = at.options.trading != "off"
    to = [*range(seat), *range(seat + 1, at.options.players)] if trade else []
    messages = 0 if at.options.talk == "off" else min(MESSAGES, SAYINGS - at.said[seat])
    return Extras(at.hand(seat), to, messages)


def ask_one(at: Position, seat: Seat, question: Asked[A]) -> Flow[A]:
    """Ask one seat, and do what goes with its answer."""
    answer = yield from ask(seat, question)
    if answer.carries:
        carry_out_extras(at, {seat: question}, {seat: answer}, [seat])
    return answer


def ask_each(at: Position, questions: Mapping[Seat, Asked[A]], order: Sequence[Seat]) -> Flow[Mapping[Seat, A]]:
    """Ask seats at once, and do what goes with their answers in `order` when all are in."""
    if not questions:
        return {}
    answers = yield from ask_all(questions)
    carry_out_extras(at, questions, answers, [seat for seat in order if seat in questions and answers[seat].carries])
    return answers


def carry_out_extras(
    at: Position, questions: Mapping[Seat, Asked[A]], answers: Mapping[Seat, A], order: Sequence[Seat]
) -> None:
    """The words of all, then the gifts of all, then the uses of all. A tile received can be used from then on only."""
    left: dict[Seat, Goods] = {}
    for seat in order:
        for message in answers[seat].say:
            speak(at, seat, message)
        gifts = questions[seat].sorted(answers[seat].gifts)
        left[seat] = replace(gifts.left)
        for gift in gifts.given:
            move(at, seat, gift.to, gift)
            tell(at, Given(seat, gift))
        for reason in gifts.refused:
            tell(at, Dropped(seat, reason))
    for seat in order:
        for use in answers[seat].uses:
            use_tool(at, seat, use, left[seat])


def speak(at: Position, seat: Seat, message: Message) -> None:
    """Words are heard by all, or with private talk by the one they are for."""
    at.said[seat] += 1
    private = at.options.talk == "private" and message.to is not None
    if message.to is not None and not 0 <= message.to < at.options.players:
        last = at.options.players - 1
        reason = Sentence("speaks to seat %(seat)s; the seats are 0 to %(last)s", seat=message.to, last=last)
        tell(at, Dropped(seat, reason, private))
    else:
        tell(at, Said(seat, message.to, message.text, private))


def move(at: Position, by: Seat, to: Seat, goods: Goods) -> None:
    """Goods pass from one to the other; Clout becomes Clout of the receiver's colour."""
    for held, number in ((at.clout, goods.clout), (at.hackers, goods.hackers), (at.viruses, goods.viruses)):
        held[by] -= number
        held[to] += number
    for template in goods.templates:
        at.templates[by].remove(template)
        at.templates[to].append(template)


# --- Hackers and Viruses -------------------------------------------------------------------------------------------


def hackable(at: Position) -> list[int]:
    """Sectors with a template that is neither a Home Node nor a Critical Node."""
    return [sector for sector, zone in enumerate(at.zones) if zone not in ("", "home", "N")]


def infectable(at: Position) -> list[int]:
    """Sectors with agents in them."""
    return list(compress(SECTORS, map(any, zip(*at.agents, strict=True))))


def use_tool(at: Position, seat: Seat, use: Use, left: Goods) -> None:
    """A tile that cannot be used there, or not any more, is kept."""
    if reason := use_error(at, use, left):
        tell(at, Dropped(seat, Sentence("uses %(reason)s", reason=reason)))
    elif use.tile == "hacker":
        left.hackers -= 1
        hack(at, seat, use.sector)
    else:
        left.viruses -= 1
        infect(at, seat, use.sector)


HACKED = "a hacker on sector %(sector)s, which is none with a template that is no Home and no Critical Node"
INFECTED = "a virus on sector %(sector)s, which is none with agents in it"


def use_error(at: Position, use: Use, left: Goods) -> Sentence | None:
    is_hacker = use.tile == "hacker"
    if (left.hackers if is_hacker else left.viruses) < 1:
        return Sentence("a %(tile)s, of which it has none left", tile=use.tile)
    if use.sector not in (hackable(at) if is_hacker else infectable(at)):
        return Sentence(HACKED if is_hacker else INFECTED, sector=use.sector)
    return None


def hack(at: Position, seat: Seat, sector: int) -> None:
    """The Hacker leaves play, and so does the template of the sector."""
    at.hackers[seat] -= 1
    template = at.zones[sector]
    at.zones[sector] = ""
    for tile in ("H", template):
        discard(at, tile)
    tell(at, Used(seat, "hacker", sector, template, []))


def infect(at: Position, seat: Seat, sector: int) -> None:
    """The Virus leaves play, and all agents of the sector are removed."""
    at.viruses[seat] -= 1
    discard(at, "V")
    tell(at, Used(seat, "virus", sector, "", remove_agents(at, sector)))


def remove_agents(at: Position, sector: int) -> list[int]:
    """They go back to the box, and are no Clout any more. How many there were, by seat."""
    removed = list(all_agents(at.agents, sector))
    for there in at.agents:
        there[sector] = 0
    return removed


def discard(at: Position, tile: str) -> None:
    at.gone[tile] = at.gone.get(tile, 0) + 1


# --- the trade window ----------------------------------------------------------------------------------------------


def make_offers(at: Position) -> Flow[None]:
    """All players at once make up to two offers each; then all are shown."""
    questions = {seat: ToOffer(extras_for(at, seat)) for seat in at.priority}
    answers = yield from ask_each(at, questions, at.priority)
    made = [(seat, offer) for seat in at.priority for offer in answers[seat].offers]
    at.offers = [Proposal(offer.to, offer.give, offer.want, number, seat) for number, (seat, offer) in enumerate(made)]
    if at.offers:
        tell(at, Offered(at.offers))


def answer_offers(at: Position) -> Flow[None]:
    """All at once accept what they like. It binds both, and is carried out in order if both can still cover it."""
    questions = {
        seat: ToAccept(extras_for(at, seat), mine)
        for seat in range(at.options.players)
        if (mine := [offer for offer in at.offers if offer.to == seat])
    }
    answers = yield from ask_each(at, questions, at.priority)
    for offer in at.offers:
        if offer.id in answers[offer.to].offers:
            carry_out_deal(at, offer)
    at.offers = []


def carry_out_deal(at: Position, offer: Proposal) -> None:
    done = not at.hand(offer.by).lacks(offer.give) and not at.hand(offer.to).lacks(offer.want)
    if done:
        move(at, offer.by, offer.to, offer.give)
        move(at, offer.to, offer.by, offer.want)
    tell(at, Traded(offer.id, offer.by, offer.to, done))
