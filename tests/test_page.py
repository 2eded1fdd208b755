"""The page of the service, in a real browser: what it shows, with the keyboard alone, and on a phone's width."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack
from http import HTTPStatus
from itertools import pairwise
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

import pytest

from browser import NAMES, Watched, chromium, found, watched
from hopsplit.corpora import demo
from hopsplit.decompose import Decomposer
from hopsplit.retrieval import Analyser, Index, Passage, read_corpus
from hopsplit.retrieval.lexicon import word_list
from hopsplit.serving import forms
from service import serving

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytest.importorskip("playwright.sync_api", reason="needs playwright, of the extra `dev`")
pytestmark = pytest.mark.skipif(not found(), reason=f"there is no Chromium here: none of {', '.join(NAMES)}")

BEARER = "only-for-the-test"
PHONE = 360  # pixels
HOSTILE = Passage(
    'q"><i>1</i>',
    "Quandix <b>Ltd</b>",
    'Quandix is led by Ärna Vø. <script>hit = 1</script><img src="nowhere" onerror="hit = 2"> &lt;',
)
LONG = Passage("long", "", "Quandix reports on plumbing. " * 60)
KANE = "Who was the second wife of the man who directed Citizen Kane?"
PIXAR = "What is the emblem of Pixar?"

Window = Callable[..., AbstractContextManager[Watched]]
Open = Callable[..., Watched]


@pytest.fixture(scope="module")
def window(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Window]:
    """Return what opens the page in a window of its own, of one service and one browser for all tests here."""
    index = tmp_path_factory.mktemp("page")
    Index.build([*read_corpus([demo()]), HOSTILE, LONG]).save(index)
    with serving(index=index, token=BEARER) as service, chromium() as browser:

        def opened(*, width: int = 1280, token: str = BEARER, script: bool = True) -> AbstractContextManager[Watched]:
            headers = {"Authorization": f"Bearer {token}"} if token else {}
            size = {"width": width, "height": 740}
            options = {"viewport": size, "extra_http_headers": headers, "java_script_enabled": script}
            return watched(browser.new_context(base_url=service.url, **options))

        yield opened


@pytest.fixture
def open_page(window: Window) -> Iterator[Open]:
    """Return what opens the page, with a question or without one, until the test ends."""
    with ExitStack() as windows:

        def opened(question: str = "", *, k: int = 10, **more: Any) -> Watched:
            seen = windows.enter_context(window(**more))
            seen.page.goto("/" + (f"#{urlencode({'q': question, 'k': k})}" if question else ""))
            seen.wait()
            return seen

        yield opened


@pytest.fixture(scope="module")
def blank(window: Window) -> Iterator[Page]:
    """Return a page without a question, whose scripts can be called."""
    with window() as seen:
        seen.page.goto("/")
        yield seen.page


def test_a_bridge_question(open_page: Open) -> None:
    """Typed where the focus is from the start, and sent off with Enter: all that is found is there."""
    seen = open_page()
    seen.ask(KANE)
    assert seen.texts("#status") == ["2 hops, 10 passages."]
    assert seen.texts("#asked mark") == ["the man who directed Citizen Kane#1"]
    assert seen.texts("#asked dd")[:2] == [
        "bridge: one entity must be found first: subject_relative",
        "executor: bridge: the plan has 2 hops to search",
    ]
    assert seen.texts("#hops h3") == ["#1 Who directed Citizen Kane?", "#2 Who was the second wife of #1?"]
    assert seen.texts("#hops svg .bridge") == ["= Orson Welles"]
    assert seen.page.locator("#hops svg .arc").count() == 1
    assert seen.texts("#hops tbody tr:first-child :is(th, td)")[:2] == ["Orson Welles taken", "enc-028"]
    first, second = seen.texts("#hops h3")
    assert [seen.evidence()[n] for n in (1, 2, 3)] == [(first, "enc-028"), (second, "enc-029"), (second, "enc-030")]
    assert seen.texts("#passage-enc-030 mark") == ["Orson Welles"]
    assert seen.texts("#passage-enc-030 .hint")[0].startswith("enc-030, via Orson Welles, score ")
    assert seen.texts("#parse svg .bridge") == ["the", "man", "who", "directed", "Citizen Kane"]
    word = seen.texts("#parse tbody tr:nth-child(11) :is(th, td)")
    assert word == ["Citizen Kane", "NNP", "dobj", "directed", "name, bridge"]
    assert "the man who directed Citizen Kane 2 rules, found by subject_relative" in seen.texts("#rules summary")[1]
    assert seen.texts("#rules details:nth-of-type(2) :is(dt, dd)")[:2] == ["neither ranked nor owned", "ranked_clause"]
    assert seen.texts("#searches li")[-1] == "bridge #1 → Orson Welles (enc-028)"
    parts = [f"/{path}, {part}" for path in ("decompose", "ask") for part in ("round trip", "wait", "work")]
    assert sorted(seen.texts("#times tbody th")) == sorted([*parts, "split and search"])
    assert seen.is_at_peace()


def test_an_example_by_keyboard(open_page: Open) -> None:
    """Tab leads through the form to the examples; the second one is a comparison with a bridge on each side."""
    seen = open_page()
    keys = seen.page.keyboard
    for expected in ("k", "Ask", "Examples, for the demo collection"):
        keys.press("Tab")
        assert expected in seen.page.evaluate("[document.activeElement.id, document.activeElement.textContent]")
    keys.press("Tab")
    keys.press("Tab")
    keys.press("Enter")
    seen.page.locator("#evidence").wait_for()
    assert seen.page.evaluate("document.activeElement.tagName") == "SUMMARY"
    assert seen.texts("#asked mark") == ["director#1 #2", "Jaws#1", "Spirited Away#2"]
    assert seen.texts("#asked dd b")[0] == "bridge_comparison"
    third, fourth = "#3 When was #1 born?", "#4 When was #2 born?"
    assert seen.texts("#hops h3")[2:] == [third, fourth]
    assert seen.texts("#hops svg .bridge") == ["= Steven Spielberg", "= Hayao Miyazaki"]
    assert seen.page.locator("#hops svg .arc").count() == 2
    assert {(third, "enc-032"), (fourth, "enc-020")} <= set(seen.evidence().values())
    assert seen.is_at_peace()


def test_a_single_question_with_fewer_passages(open_page: Open) -> None:
    """Tab leads from the question to the number of passages; Enter there asks, too. Nothing is marked as a bridge."""
    seen = open_page()
    seen.page.keyboard.type(PIXAR)
    seen.page.keyboard.press("Tab")
    seen.ask("3")
    assert seen.texts("#status") == ["1 hop, 3 passages."]
    assert seen.texts("#asked mark") == []
    assert seen.texts("#asked dd b")[:2] == ["single", "hybrid"]
    assert seen.evidence()[1] == (f"#1 {PIXAR}", "enc-097")
    assert "emblem" in seen.texts("#passage-enc-097 mark")
    assert not {"is", "the", "of"} & {text.lower() for text in seen.texts("#evidence mark")}
    seen.page.locator("#hops").get_by_role("heading", name="Hops").wait_for()
    assert seen.is_at_peace()


def test_the_address_tells_the_question(open_page: Open) -> None:
    """An address with a question asks it; the next question has an address of its own, and back leads to the first."""
    seen = open_page(PIXAR, k=2)
    assert len(seen.evidence()) == 2
    seen.page.keyboard.press("Control+a")
    seen.ask(KANE)
    assert seen.page.url.endswith("#q=Who+was+the+second+wife+of+the+man+who+directed+Citizen+Kane%3F&k=2")
    assert seen.page.title() == f"{KANE} - hopsplit"
    seen.page.go_back()
    seen.page.locator(".question", has_text=PIXAR).wait_for()
    seen.wait()
    assert seen.page.input_value("#question") == PIXAR
    assert seen.is_at_peace()


@pytest.mark.parametrize(
    ("question", "k", "said"),
    [
        ("  ", 10, "the question is empty; give at least one word"),
        ("Who " * 600, 10, "the question has 2,400 characters; give at most 2,000"),
        (PIXAR, 101, "k is 101; ask for at most 100 passages (serve.k)"),
    ],
)
def test_bad_input(open_page: Open, question: str, k: int, said: str) -> None:
    """The service's own words, once, as an alert; no result of it stands there."""
    seen = open_page(question, k=k)
    assert seen.texts("#problem[role=alert] p") == [said]
    assert seen.page.locator("#evidence").count() == 0
    assert set(seen.errors) == {
        f"Failed to load resource: the server responded with a status of 422 ({HTTPStatus(422).phrase})"
    }


def test_nothing_found(open_page: Open) -> None:
    """A question that neither has hops nor finds a passage says both."""
    seen = open_page("zzzz qqqq")
    assert seen.texts("#status") == ["0 hops, nothing found."]
    assert seen.texts("#hops p") == ["None: the question was not split."]
    assert seen.texts("#evidence p") == ["Nothing found: no passage has a word of the question."]
    assert seen.is_at_peace()


def test_doubtful_bridges_are_called_unsure(open_page: Open) -> None:
    """As in the program, below a confidence of 0.4."""
    seen = open_page("Who is the spouse of the author of zzz?")
    assert seen.texts(".taken") == ["taken, unsure"]
    assert seen.texts("#hops svg .bridge")[0].endswith("(unsure)")


def test_a_hostile_passage_stays_text(open_page: Open) -> None:
    """What looks like markup in a passage or a question is shown letter by letter, and its words are marked."""
    seen = open_page("Who leads <img src=x onerror=hit=3> Quandix <script>hit = 4</script>, Arna Vo?")
    item = seen.page.locator(f"[id='passage-{HOSTILE.id.replace(chr(39), '')}']")
    assert item.locator("h4").text_content() == HOSTILE.title
    assert item.locator(".text").text_content() == HOSTILE.text
    assert "Ärna Vø" in [mark.text_content() for mark in item.locator("mark").all()]
    assert seen.page.locator("main :is(script, img, i)").count() == 0
    assert seen.page.evaluate("typeof hit") == "undefined"
    assert seen.is_at_peace()


def test_a_long_passage_opens(open_page: Open) -> None:
    """Of a long passage the beginning is shown until its button is pressed."""
    seen = open_page("What does Quandix report on plumbing?")
    text = seen.page.locator("#passage-long .text")
    assert 600 < len(text.inner_text()) < 720
    seen.page.locator("#passage-long button").press("Enter")
    assert text.text_content() == LONG.text
    assert seen.page.locator("#passage-long button").count() == 0


@pytest.mark.parametrize(
    ("status", "body", "said"),
    [
        (502, "<h1>Bad gateway</h1>", "The service answered with status 502."),
        (429, '{"error": "too many requests wait"}', "too many requests wait"),
        (200, "{}", "Cannot "),  # as of another version: what JavaScript says of it
    ],
)
def test_one_of_two_replies_is_no_good(open_page: Open, status: int, body: str, said: str) -> None:
    """The other one is shown, and why there is no more; nothing of the question before, nothing still under way."""
    seen = open_page(KANE)
    seen.page.route("**/ask", lambda route: route.fulfill(status=status, body=body))
    seen.page.keyboard.press("Control+a")
    seen.ask(PIXAR)
    (problem,) = seen.texts("#problem p")
    assert problem.startswith(said)
    assert seen.texts("#status") == [""]
    assert seen.texts(".question") == [PIXAR]
    assert seen.texts("h2") == ["Question", "Hops", "Parse", "Rules tried", "Times"]


def test_without_javascript(window: Window) -> None:
    """The page says that it needs it, and the browser sends the question nowhere, least of all in an address."""
    with window(script=False) as seen:
        seen.page.goto("/")
        assert seen.page.locator("noscript").inner_text() == "This page needs JavaScript."
        seen.page.fill("#question", "secret")
        seen.page.focus("#k")
        with seen.page.expect_console_message(lambda said: "form-action 'none'" in said.text, timeout=5_000):
            seen.page.keyboard.press("Enter")
        assert not any("secret" in url for url in [seen.page.url, *seen.asked])


def test_the_token_is_asked_for(open_page: Open) -> None:
    """Without one a field has the focus; a wrong one is refused; with the right one the question is asked again."""
    seen = open_page(PIXAR, token="")
    assert seen.texts("#problem p") == ["The service wants a token."]
    seen.ask("wrong")
    seen.page.get_by_text("The service refuses this token.").wait_for()
    seen.ask(BEARER)
    seen.page.locator("#evidence").wait_for()
    assert seen.texts("#problem p") == []
    assert not seen.page.locator("#token").is_visible()
    assert seen.page.evaluate("[localStorage.length, sessionStorage.length, document.cookie]") == [0, 0, ""]
    assert len(seen.errors) == 4  # two requests each without a token and with a wrong one
    assert all("401" in error for error in seen.errors)


def test_a_later_question_overtakes_an_earlier_one(open_page: Open) -> None:
    """What is on its way for the first one is given up, and only the second one is shown."""
    seen = open_page()
    long = "Where was the director of the film that " + "the sister of the man who married " * 12 + "X born?"
    seen.page.evaluate("hash => { location.hash = hash }", urlencode({"q": long}))
    seen.page.locator("#results[aria-busy]").wait_for(state="attached")
    assert seen.texts("#status") == ["Asking …"]
    seen.page.evaluate("hash => { location.hash = hash }", urlencode({"q": PIXAR}))
    seen.page.locator(".question", has_text=PIXAR).wait_for()
    seen.wait()
    assert len(seen.evidence()) == 10
    assert {url.rsplit("/", 1)[1] for url in seen.given_up} == {"decompose", "ask"}
    assert seen.is_at_peace()


@pytest.mark.parametrize(
    "question",
    ["Who is the spouse of the author of zzz?", "Which is older, Jaws, Alien or Psycho?", "Who " + "i" * 300 + "?"],
)
def test_on_a_phone(open_page: Open, question: str) -> None:
    """The page is no wider than the window; what is wider in it scrolls by itself, and can be reached by keyboard."""
    seen = open_page(question, width=PHONE)
    assert seen.page.evaluate("document.documentElement.scrollWidth") <= PHONE
    tree = seen.page.get_by_label("Picture of the parse")
    assert tree.evaluate("it => it.scrollWidth > it.clientWidth && it.tabIndex") == 0


def test_links_keep_the_question_in_the_address(open_page: Open) -> None:
    """Of a candidate's passage, of a part of the results, and the one that skips the form: each moves the focus."""
    seen = open_page(KANE)
    url = seen.page.url
    for link, place in (
        ("#hops tbody a", "passage-enc-028"),
        ("nav a[href='#rules']", "rules"),
        (".skip", "results"),
    ):
        seen.page.locator(link).first.press("Enter")
        assert seen.page.evaluate("document.activeElement.id") == place
    assert seen.page.url == url


def test_names_and_roles(open_page: Open) -> None:
    """What a screen reader is told: landmarks, headings in order, a table for the picture of the parse."""
    seen = open_page(KANE)
    said = seen.page.locator("body").aria_snapshot()
    for part in (
        "- banner:",
        "- main:",
        '- search "Ask a question":',
        '- textbox "Question"',
        '- spinbutton "Passages"',
        "- status: 2 hops, 10 passages.",
        '- navigation "Parts of the results":',
        '- region "Evidence":',
        '- img "Graph of the hops; the list after it says the same."',
        '- row "Orson Welles taken enc-028 ',
    ):
        assert part in said, part
    levels = seen.page.locator("h1, h2, h3, h4").evaluate_all("them => them.map(it => Number(it.tagName[1]))")
    assert levels[0] == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))


@pytest.mark.parametrize(
    ("question", "marked"),
    [
        ("Where was the founder of “Versus” born?", [("the founder of “Versus”", [1])]),
        ("Where was the founder of Über😀 Airways born?", [("the founder of Über😀 Airways", [1])]),
        ("Where was the  founder of   Versus born?", [("the  founder of   Versus", [1])]),
        (
            "The monster in the film Alien was designed by an artist born in which town?",
            [("The monster in the film Alien was designed by", [1]), ("artist", [1])],
        ),
        (
            "When was the university that the author of Dracula attended founded?",
            [("university", [2]), ("the author of Dracula", [1])],
        ),
    ],
)
def test_where_the_bridge_stands(blank: Page, question: str, marked: list[tuple[str, list[int]]]) -> None:
    """Marked where it stands in the question as typed, whatever quotes, blanks or pictures are in it."""
    plan = forms.of_plan(Decomposer().decompose(question, explain=True), explain=True)
    script = "plan => import('/page/words.js').then(words => words.bridged(plan))"
    pieces = blank.evaluate(script, plan)
    assert "".join(piece["text"] for piece in pieces) == question
    assert [(piece["text"], piece["hops"]) for piece in pieces if piece["hops"]] == marked


def test_words_are_those_of_the_index(blank: Page) -> None:
    """The page cuts and folds words as the analyser does, and leaves out the same stop words."""
    texts = [
        'Brontë\'s "Ærø", 1847',
        "STRASSE straße Łódź",
        "ΟΔΥΣΣΕΥΣ",
        "東京タワー tower",
        "Bronte\u0308 don\u2019t",
        "\uff21\uff22\uff23 ½",
    ]
    script = "texts => import('/page/words.js').then(words => [texts.map(words.terms), [...words.STOP]])"
    terms, stop = blank.evaluate(script, texts)
    assert terms == [Analyser().terms(text) for text in texts]
    assert set(stop) == word_list("stop")
