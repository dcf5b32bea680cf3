"""Markdown pages as HTML."""

from controller.console.manual.markdown import address_of, render_page

PAGE = """# The *shoe*

First words.

## Cards, and a table

| a | b |
|---|---|
| one [link](keys.md#replace-a-key) | [file](../audit.py) |

## Cards, and a table

```
sabot doctor
```
"""


def test_headings_have_the_anchors_of_github() -> None:
    anchors = [section.anchor for section in render_page(PAGE).sections]
    assert anchors == ["the-shoe", "cards-and-a-table", "cards-and-a-table-1"]


def test_links_lead_to_pages_of_the_site_and_never_out_of_it() -> None:
    body = render_page(PAGE).body
    assert '<a href="keys.html#replace-a-key">link</a>' in body
    assert "<td>file</td>" in body
    assert address_of("README") == "index.html"


def test_sections_have_their_words_and_the_pages_they_link_to() -> None:
    page = render_page(PAGE)
    first, second, third = page.sections
    assert page.title == "The shoe"
    assert (first.level, first.text) == (1, "First words.")
    assert second.links == ("keys",)
    assert "one link" in second.text
    assert third.text == "sabot doctor\n"


def test_html_in_a_page_is_text() -> None:
    assert "&lt;script&gt;" in render_page("# A\n\n<script>x</script>\n").body
