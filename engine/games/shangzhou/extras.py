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


def extras_for(position: Position, seat: Seat) -> Extras:
    """Return gifts, tools and words that may go with the next answer of `seat`."""
    trade = position.options.trading != "off"
    to = [*range(seat), *range(seat + 1, position.options.players)] if trade else []
    messages = 0 if position.options.talk == "off" else min(MESSAGES, SAYINGS - position.said[seat])
    return Extras(position.hand(seat), to, messages)


def ask_one(position: Position, seat: Seat, question: Asked[A]) -> Flow[A]:
    """Ask one seat, and do what goes with its answer."""
    answer = yield from ask(seat, question)
    if answer.carries:
        carry_out_extras(position, {seat: question}, {seat: answer}, [seat])
    return answer


def ask_each(position: Position, questions: Mapping[Seat, Asked[A]], order: Sequence[Seat]) -> Flow[Mapping[Seat, A]]:
    """Ask seats at once, and do what goes with their answers in `order` when all are in."""
    if not questions:
        return {}
    answers = yield from ask_all(questions)
    carry_out_extras(
        position, questions, answers, [seat for seat in order if seat in questions and answers[seat].carries]
    )
    return answers


def carry_out_extras(
    position: Position, questions: Mapping[Seat, Asked[A]], answers: Mapping[Seat, A], order: Sequence[Seat]
) -> None:
    """The words of all, then the gifts of all, then the uses of all. A tile received can be used from then on only."""
    left: dict[Seat, Goods] = {}
    for seat in order:
        for message in answers[seat].say:
            speak(position, seat, message)
        gifts = questions[seat].sorted(answers[seat].gifts)
        left[seat] = replace(gifts.left)
        for gift in gifts.given:
            transfer_goods(position, seat, gift.to, gift)
            tell(position, Given(seat, gift))
        for reason in gifts.refused:
            tell(position, Dropped(seat, reason))
    for seat in order:
        for use in answers[seat].uses:
            use_tool(position, seat, use, left[seat])


def speak(position: Position, seat: Seat, message: Message) -> None:
    """Words are heard by all, or with private talk by the one they are for."""
    position.said[seat] += 1
    private = position.options.talk == "private" and message.to is not None
    if message.to is not None and not 0 <= message.to < position.options.players:
        last = position.options.players - 1
        reason = Sentence("speaks to seat %(seat)s; the seats are 0 to %(last)s", seat=message.to, last=last)
        tell(position, Dropped(seat, reason, private))
    else:
        tell(position, Said(seat, message.to, message.text, private))


def transfer_goods(position: Position, by: Seat, to: Seat, goods: Goods) -> None:
    """Goods pass from one to the other; Clout becomes Clout of the receiver's colour."""
    for held, number in (
        (position.clout, goods.clout),
        (position.hackers, goods.hackers),
        (position.viruses, goods.viruses),
    ):
        held[by] -= number
        held[to] += number
    for template in goods.templates:
        position.templates[by].remove(template)
        position.templates[to].append(template)


# --- Hackers and Viruses -------------------------------------------------------------------------------------------


def hackable(position: Position) -> list[int]:
    """Return sectors with a template that is neither a Home Node nor a Critical Node."""
    return [sector for sector, zone in enumerate(position.zones) if zone not in ("", "home", "N")]


def infectable(position: Position) -> list[int]:
    """Return sectors with agents in them."""
    return list(compress(SECTORS, map(any, zip(*position.agents, strict=True))))


def use_tool(position: Position, seat: Seat, use: Use, left: Goods) -> None:
    """A tile that cannot be used there, or not any more, is kept."""
    if reason := use_error(position, use, left):
        tell(position, Dropped(seat, Sentence("uses %(reason)s", reason=reason)))
    elif use.tile == "hacker":
        left.hackers -= 1
        hack(position, seat, use.sector)
    else:
        left.viruses -= 1
        infect(position, seat, use.sector)


HACKED = "a hacker on sector %(sector)s, which is none with a template that is no Home and no Critical Node"
INFECTED = "a virus on sector %(sector)s, which is none with agents in it"


def use_error(position: Position, use: Use, left: Goods) -> Sentence | None:
    is_hacker = use.tile == "hacker"
    if (left.hackers if is_hacker else left.viruses) < 1:
        return Sentence("a %(tile)s, of which it has none left", tile=use.tile)
    if use.sector not in (hackable(position) if is_hacker else infectable(position)):
        return Sentence(HACKED if is_hacker else INFECTED, sector=use.sector)
    return None


def hack(position: Position, seat: Seat, sector: int) -> None:
    """The Hacker leaves play, and so does the template of the sector."""
    position.hackers[seat] -= 1
    template = position.zones[sector]
    position.zones[sector] = ""
    for tile in ("H", template):
        discard_tile(position, tile)
    tell(position, Used(seat, "hacker", sector, template, []))


def infect(position: Position, seat: Seat, sector: int) -> None:
    """The Virus leaves play, and all agents of the sector are removed."""
    position.viruses[seat] -= 1
    discard_tile(position, "V")
    tell(position, Used(seat, "virus", sector, "", remove_agents(position, sector)))


def remove_agents(position: Position, sector: int) -> list[int]:
    """Put the agents back into the box, where they are no Clout any more, and return how many there were, by seat."""
    removed = list(all_agents(position.agents, sector))
    for by_sector in position.agents:
        by_sector[sector] = 0
    return removed


def discard_tile(position: Position, tile: str) -> None:
    position.gone[tile] = position.gone.get(tile, 0) + 1


# --- the trade window ----------------------------------------------------------------------------------------------


def make_offers(position: Position) -> Flow[None]:
    """The players make up to two offers each, all at once; then all are shown."""
    questions = {seat: ToOffer(extras_for(position, seat)) for seat in position.priority}
    answers = yield from ask_each(position, questions, position.priority)
    made = [(seat, offer) for seat in position.priority for offer in answers[seat].offers]
    position.offers = [
        Proposal(offer.to, offer.give, offer.want, number, seat) for number, (seat, offer) in enumerate(made)
    ]
    if position.offers:
        tell(position, Offered(position.offers))


def answer_offers(position: Position) -> Flow[None]:
    """Players accept what they like, all at once. It binds both, and is carried out in order if both can cover it."""
    questions = {
        seat: ToAccept(extras_for(position, seat), mine)
        for seat in range(position.options.players)
        if (mine := [offer for offer in position.offers if offer.to == seat])
    }
    answers = yield from ask_each(position, questions, position.priority)
    for offer in position.offers:
        if offer.id in answers[offer.to].offers:
            carry_out_deal(position, offer)
    position.offers = []


def carry_out_deal(position: Position, offer: Proposal) -> None:
    done = not position.hand(offer.by).lacks(offer.give) and not position.hand(offer.to).lacks(offer.want)
    if done:
        transfer_goods(position, offer.by, offer.to, offer.give)
        transfer_goods(position, offer.to, offer.by, offer.want)
    tell(position, Traded(offer.id, offer.by, offer.to, done))
