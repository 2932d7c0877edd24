"""The narrowest screen that WCAG asks for, a laptop at 400 %: what is cut off there, or too small to press."""

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page as Tab
from playwright.sync_api import ViewportSize

NARROW: ViewportSize = {"width": 320, "height": 256}  # 1280 x 1024 at 400 % (1.4.10)
# Words in a box that hides what it has no room for.
CUT = """() => [...document.querySelectorAll("body *")].filter((element) => {
  if (element.closest("svg, .unseen, [aria-hidden=true]") || !element.innerText?.trim()) return false;
  const { overflowX, overflowY } = getComputedStyle(element);
  const hides = (overflow) => ["hidden", "clip"].includes(overflow);
  return hides(overflowX) && element.scrollWidth > element.clientWidth + 1
    || hides(overflowY) && element.scrollHeight > element.clientHeight + 1;
}).map((element) => `cut off: ${element.outerHTML.slice(0, 90)}`)"""
# As readers space words out (1.4.12). A sheet of the script's own, for the site forbids styles in place.
SPACE_OUT = """() => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`* { line-height: 1.5 !important; letter-spacing: 0.12em !important;
    word-spacing: 0.16em !important; } p { margin-bottom: 2em !important; }`);
  document.adoptedStyleSheets = [sheet];
}"""
CLOSE_UP = "() => { document.adoptedStyleSheets = []; }"
# What is pressed has 24 pixels, or as much room around it (2.5.8); a box that scrolls is reached by keyboard.
RULES = {"resultTypes": ["violations"], "runOnly": ["target-size", "scrollable-region-focusable"]}


def squeezed(tab: Tab, wide: str) -> list[object]:
    """Faults on the narrow screen, spaced out and not; `wide` finds what sticks out."""
    faults = [*sideways(tab, wide), *tab.evaluate(CUT)]
    faults += [
        (violation["id"], node["html"][:120])
        for violation in Axe().run(tab, options=RULES).response["violations"]
        for node in violation["nodes"]
    ]
    tab.evaluate(SPACE_OUT)
    faults += [f"spaced out: {text}" for text in (*sideways(tab, wide), *tab.evaluate(CUT))]
    tab.evaluate(CLOSE_UP)
    return faults


def sideways(tab: Tab, wide: str) -> list[object]:
    width = tab.evaluate("document.documentElement.scrollWidth")
    return [f"{width} wide", *tab.evaluate(wide)] if width > tab.evaluate("innerWidth") else []
