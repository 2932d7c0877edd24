"""The docs in the site: all of them, and every link in them."""

import re
from html import unescape
from urllib.parse import urldefrag, urljoin

import pytest
from django.test import Client
from pytest_django.fixtures import Settings

from tournaments.web.pages import docs
from tournaments.web.pages.docs import FOLDER, INDEX, MOVED, PAGES, doc_url
from tournaments.web.pages.markdown import render

HREF = re.compile(r'(?:href|src)="([^"]*)"')


@pytest.mark.django_db
def test_every_file_of_the_docs_is_a_page_that_the_index_links() -> None:
    names = {path.relative_to(FOLDER).with_suffix("").as_posix() for path in FOLDER.rglob("*.md")}
    assert names == {*PAGES, INDEX}
    index = Client().get("/docs/").content.decode()
    for name in PAGES:
        assert f'href="{doc_url(name)}"' in index
        page = Client().get(doc_url(name))
        title = (FOLDER / f"{name}.md").read_text().splitlines()[0].removeprefix("# ")
        assert (page.status_code, page.content.decode().count("<h1")) == (200, 1)
        assert title in unescape(page.content.decode())


@pytest.mark.django_db
def test_every_link_of_the_docs_leads_somewhere_on_the_site() -> None:
    pages = {where: Client().get(where).content.decode() for where in ["/docs/", *map(doc_url, PAGES)]}
    for page, html in pages.items():
        for link in HREF.findall(html.split("<main")[1].split("</main>")[0]):
            where, anchor = urldefrag(urljoin(page, unescape(link)))
            if where.startswith(("http:", "https:", "mailto:")):
                continue
            if where not in pages:
                answer = Client().get(where)
                assert answer.status_code == 200, (page, link)
                assert answer.getvalue(), (page, link)  # a picture is a file, which is closed when it has been read
            assert not anchor or f'id="{anchor}"' in pages[where], (page, link)


@pytest.mark.django_db
@pytest.mark.parametrize("name", MOVED)
def test_the_address_of_a_page_that_moved_leads_to_where_it_is(name: str) -> None:
    answer = Client().get(f"/docs/{name}/")
    assert (answer.status_code, answer["Location"]) == (301, f"/docs/{MOVED[name]}/")
    title = (FOLDER / f"{MOVED[name]}.md").read_text().splitlines()[0].removeprefix("# ")
    assert f"{title}</h1>" in unescape(Client().get(answer["Location"]).content.decode())


def test_the_first_page_names_every_other() -> None:
    """The way in for those who read the folder, as the index is on the site."""
    leads_to = set(re.findall(r"\]\(([\w/-]+)\.md", (FOLDER / f"{INDEX}.md").read_text()))
    assert leads_to >= {name for name in PAGES if not name.startswith("games/")} | {"games/README"}


def test_every_file_that_the_docs_name_is_there() -> None:
    for path in [FOLDER.parent / "README.md", *FOLDER.rglob("*.md")]:
        named = re.findall(r"`((?:engine|bots|workers|tournaments|tests|docs)/[\w/.-]+\.\w+)", path.read_text())
        assert [name for name in named if not (FOLDER.parent / name).is_file()] == [], path


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["nothing/", "games/README/", "../README/", "files/../settings.py", "files/api.md"])
def test_what_is_no_page_of_the_docs_is_not_found(path: str) -> None:
    answer = Client().get(f"/docs/{path}")
    assert (answer.status_code, "There is no " in answer.content.decode()) == (404, True)


@pytest.mark.django_db
def test_a_file_beside_the_pages_is_handed_out_as_what_it_is() -> None:
    picture = Client().get("/docs/files/pictures/match.png")
    assert (picture.status_code, picture["Content-Type"]) == (200, "image/png")
    assert picture.content == (FOLDER / "pictures" / "match.png").read_bytes()


def test_html_in_a_page_is_shown_and_scripts_behind_links_are_dead() -> None:
    written = render("# A <b>c</b>\n\n<script>x</script> [y](javascript:x) [z](gone.py)\n", lambda _: "")
    assert "<script" not in written.html
    assert "<b>" not in written.html
    assert "href" not in written.html
    assert written.title == "A <b>c</b>"


def test_headings_are_named_as_code_hosts_name_them_and_twice_the_same_gets_a_number() -> None:
    written = render("# Top\n## The `ledger`, again!\n## Rules\n### Rules\n", str)
    assert [heading.anchor for heading in written.headings] == ["the-ledger-again", "rules", "rules-1"]
    assert 'id="rules-1"' in written.html


def test_tables_and_code_scroll_in_boxes_that_the_keyboard_reaches() -> None:
    html = render("| a | |\n|---|---|\n| 1 | 2 |\n\n```sh\nx < y\n```\n", str).html
    assert html.count('tabindex="0"') == 2
    assert '<th scope="col">a</th>' in html
    assert html.count("<td>") == 3
    assert "x &lt; y" in html


@pytest.mark.django_db
def test_examples_name_the_address_of_this_site(settings: Settings) -> None:
    settings.SITE_URL = "https://board.example"
    docs._written.cache_clear()
    try:
        page = Client().get("/docs/data/").content.decode()
    finally:
        docs._written.cache_clear()
    assert "https://board.example/data/main/seats.parquet" in page
    assert docs.USUAL not in page
