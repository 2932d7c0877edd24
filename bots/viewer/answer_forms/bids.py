"""Bids, as several games ask for them."""

from collections.abc import Callable, Mapping, Sequence

from bots.viewer.answer_forms.form import Button, Control, Group, Way
from bots.viewer.language import say

Money = Callable[[int], str]


def bid(
    base: Mapping[str, object],
    low: int,
    high: int,
    money: Money,
    *,
    step: int = 1,
    of: int = 0,
    groups: Sequence[Group] = (),
    needs: Sequence[str] = (),
) -> Way:
    """A number from `low` to `high`, the least and the most at a click, or a pass, which is 0; `of` is the money."""
    label = say("Your bid, %(low)s to %(high)s", low=money(low), high=money(high))
    amount = Control("amount", "number", label, low=low, high=high, step=step, value=str(low), of=of)
    quick = [*([low + step] if low + step < high else []), *([high] if high > low else [])]
    called = {
        price: say("The most: %(money)s", money=money(price)) if price == high else money(price) for price in quick
    }
    at_once = [Button(words, "amount", price, "number", quiet=True) for price, words in called.items()]
    buttons = [Button(say("Bid")), Button(say("Pass"), "amount", 0, "number", quiet=True), *at_once]
    return Way("", base, buttons, [amount], groups, needs)
