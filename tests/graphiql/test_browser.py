"""GraphiQL in a real browser, as somebody uses it who was never here before. The fixture `page` looks for
complaints.
"""

import json
from typing import Any

from tests.support.browser import Page
from tests.support.live import Live
from tests.support.people import PASSWORD
from tests.support.waits import eventually

_RESULT = "document.querySelector('.result-window .CodeMirror')?.CodeMirror.getValue() ?? ''"
_EDITOR = ".graphiql-query-editor .CodeMirror"


def _write(page: Page, query: str) -> None:
    page.click(_EDITOR)
    page.press("a", 65, ctrl=True, command="selectAll")
    page.write(query)
    page.wait(f"document.querySelector({_EDITOR!r}).CodeMirror.getValue() === {json.dumps(query)}")


def _run(page: Page, said: str) -> Any:
    """Runs what is in the editor; the answer, as soon as it is one with these words."""
    page.press("Enter", 13, ctrl=True)
    page.wait(f"({_RESULT}).includes({json.dumps(said)})")
    return json.loads(page.evaluate(_RESULT))


def _log_in(page: Page, live: Live) -> None:
    page.click("#enter")
    page.click("#by-password [name=email]")
    page.write(live.ada.email)
    page.click("#by-password [name=password]")
    page.write(PASSWORD)
    page.click("#by-password button")
    page.shows("#who")


def _call(live: Live, query: str, **variables: Any) -> Any:
    """Ada elsewhere."""
    asked = {"query": query, "variables": variables}
    body = live.client.post("/graphql", json=asked, headers=live.ada.headers).json()
    assert "errors" not in body, body
    return body["data"]


def test_a_query_is_typed_and_run_and_its_answer_seen(page):
    _write(page, "query Alive { health { status } }")
    assert _run(page, '"ok"')["data"] == {"health": {"status": "ok"}}
    page.wait("/\\d+ ms/.test(document.querySelector('.answer').textContent)")


def test_what_is_run_is_what_is_written(page):
    """GraphiQL notices a new operation's name late."""
    _write(page, "query First { health { status } }")
    _run(page, '"ok"')
    _write(page, "query Second { __typename }")
    assert _run(page, "__typename")["data"] == {"__typename": "Query"}


def test_logging_in_and_out(page, live):
    _write(page, "query Me { me { email } }")
    refused = _run(page, "unauthenticated")
    assert refused["data"] == {"me": None}
    page.shows("#enter.wanted")
    _log_in(page, live)
    assert _run(page, live.ada.email)["data"] == {"me": {"email": live.ada.email}}
    shown = page.evaluate("document.querySelector('#who').textContent")
    kept = json.loads(page.evaluate("sessionStorage.getItem('postern.session')"))
    assert shown.startswith(f"{live.ada.email} · eyJh…")
    assert kept["token"] not in page.evaluate("document.documentElement.outerHTML")
    assert set(kept) == {"token", "email", "ends"}, "no refresh token is kept"
    stored = page.evaluate("JSON.stringify(localStorage)")
    assert kept["token"] not in stored
    assert PASSWORD not in stored + page.evaluate("document.documentElement.outerHTML")
    page.wait("document.querySelector('#by-password [name=password]').value === ''")

    page.click("#leave")
    page.shows("#enter")
    assert page.evaluate("sessionStorage.getItem('postern.session')") is None
    _run(page, "unauthenticated")
    bearer = {"authorization": f"Bearer {kept['token']}"}
    eventually(
        lambda: live.client.get("/auth/me", headers=bearer).status_code == 401, "the login itself has ended"
    )


def test_a_wrong_password_says_so_and_is_not_kept(page, live):
    page.click("#enter")
    page.click("#by-password [name=email]")
    page.write(live.ada.email)
    page.click("#by-password [name=password]")
    page.write("wrong horse battery")
    page.press("Enter", 13)
    page.shows("#refused")
    assert page.evaluate("document.querySelector('#refused').textContent") != ""
    page.press("Escape", 27)
    page.hides("#login")
    page.wait("document.querySelector('#by-password [name=password]').value === ''")
    page.shows("#enter")


def test_a_token_outlives_a_reload_and_is_refused_when_it_is_none(page, live):
    page.click("#enter")
    page.click("#by-token [name=token]")
    page.write("pst_no_such_token")
    page.click("#by-token button")
    page.shows("#refused")
    page.click("#by-token [name=token]")
    page.press("a", 65, ctrl=True, command="selectAll")
    page.write(live.ada.token)
    page.click("#by-token button")
    page.shows("#who")
    page.reload()
    page.shows(_EDITOR)
    page.shows("#who")
    _write(page, "query Me { me { email } }")
    _run(page, live.ada.email)


def test_a_login_is_renewed_before_it_ends(page, live):
    _log_in(page, live)
    kept = json.loads(page.evaluate("sessionStorage.getItem('postern.session')"))
    first, second = page.evaluate(
        """(async () => {
            const real = Date.now;
            Date.now = () => real() + 14.8 * 60000;
            const both = await Promise.all([postern.session.authorization(), postern.session.authorization()]);
            Date.now = real;
            return both;
        })()"""
    )
    assert first == second, "two requests at once renew it once"
    assert first != f"Bearer {kept['token']}"
    answer = live.client.get("/auth/me", headers={"authorization": first})
    assert answer.status_code == 200


def test_a_subscription_shows_each_change(page, live):
    _log_in(page, live)
    login = "15005559077"
    add = "mutation($input: NewMessengerAccount!) { addMessengerAccount(input: $input) { uuid } }"
    made = _call(live, add, input={"source": "telegram", "login": login})
    id = made["addMessengerAccount"]["uuid"]
    _write(
        page,
        f'subscription Changes {{ messengerAccountChanged(id: "{id}") {{ account {{ login state }} }} }}',
    )
    answer = _run(page, login)
    assert answer["data"]["messengerAccountChanged"]["account"] == {"login": login, "state": "stopped"}
    _call(live, "mutation($id: ID!) { startMessengerAccount(id: $id) { state } }", id=id)
    page.wait(f"({_RESULT}).includes('working')")
    page.click("button[aria-label^='Stop query']")
    page.shows("button[aria-label^='Execute query']")


def test_a_subscription_of_nobody_says_what_to_do(page):
    _write(page, "subscription Changes { messengerAccountChanged { at } }")
    answer = _run(page, "refused")
    assert answer["errors"][0]["extensions"]["code"] == "unauthenticated"
    assert "Log in" in answer["errors"][0]["message"]
    page.shows("#enter.wanted")


def test_an_example_opens_beside_what_is_there_and_once(page):
    tabs = "document.querySelectorAll('.graphiql-tab').length"
    text = f"document.querySelector({_EDITOR!r}).CodeMirror.getValue()"
    _write(page, "query Mine { __typename }")
    before = page.evaluate(tabs)
    example = "[...document.querySelectorAll('.examples button')].find(b => b.textContent === 'Connect it')"
    page.evaluate(f"{example}.click(), {example}.click()")
    page.wait(f"{text}.includes('mutation StartMessengerAccount')")
    page.wait(
        "[...document.querySelectorAll('.graphiql-tab')].at(-1).textContent.includes('StartMessengerAccount')"
    )
    assert page.evaluate(tabs) == before + 1
    variables = "document.querySelector('.graphiql-editor-tool .CodeMirror').CodeMirror.getValue()"
    page.wait(f"{variables}.includes('account')")
    page.evaluate("document.querySelector('.graphiql-tab button').click()")
    page.wait(f"{text} === 'query Mine {{ __typename }}'")
    page.evaluate(f"{example}.click()")
    page.wait(f"{text}.includes('mutation StartMessengerAccount')")
    assert page.evaluate(tabs) == before + 1, "it is open already"


def test_every_panel_and_dialog_opens_under_the_policy(page):
    for label in ("Show GraphiQL Explorer", "Show Documentation Explorer", "Show History", "Show Examples"):
        page.click(f"button[aria-label='{label}']")
        page.shows(f"button[aria-label='{label.replace('Show', 'Hide')}']")
        if "Documentation" in label:  # the hints below are of the schema: it has come
            page.shows(".graphiql-doc-explorer-root-type")
    for label in ("Open settings dialog", "Open short keys dialog"):
        page.click(f"button[aria-label='{label}']")
        page.shows(".graphiql-dialog")
        page.press("Escape", 27)
        page.hides(".graphiql-dialog")
    _write(page, "query Q { hea }")
    page.press(" ", 32, ctrl=True)
    page.wait("!!document.querySelector('.CodeMirror-hints')")


def test_a_script_that_is_not_ours_does_not_run(page):
    """The policy itself, so that the absence of complaints means something."""
    ran = page.evaluate(
        """(async () => {
            const blocked = [];
            document.addEventListener("securitypolicyviolation", (event) => blocked.push(event.effectiveDirective));
            document.head.append(Object.assign(document.createElement("script"), {textContent: "globalThis.ran = 1"}));
            const image = Object.assign(new Image(), {src: "http://127.0.0.1:1/x.png"});
            document.body.append(image);
            await fetch("http://127.0.0.1:1/").catch(() => 0);
            while (blocked.length < 3) await new Promise((later) => setTimeout(later, 10));
            image.remove();
            return [globalThis.ran ?? 0, blocked.sort()];
        })()"""
    )
    assert ran == [0, ["connect-src", "img-src", "script-src-elem"]]
    page.complaints.clear()
    page.requests = [url for url in page.requests if not url.startswith("http://127.0.0.1:1/")]


def _example(page: Page, title: str) -> None:
    """Opens it from the panel, as a person does; the panel is there afterwards only on a wide screen."""
    page.evaluate("document.querySelector('.graphiql-sidebar [aria-label=\"Show Examples\"]')?.click()")
    page.shows(".examples")
    found = f"[...document.querySelectorAll('.examples button')].find(one => one.textContent === {json.dumps(title)})"
    page.evaluate(f"({found}).id = 'wanted'")
    page.click("#wanted")
    page.evaluate("document.querySelector('#wanted')?.removeAttribute('id')")


def _answered(page: Page, title: str, operation: str, said: str) -> Any:
    _example(page, title)
    page.wait(f"document.querySelector({_EDITOR!r}).CodeMirror.getValue().includes({json.dumps(operation)})")
    page.wait(
        "document.querySelector('.graphiql-tab-active').textContent.includes(" + json.dumps(operation) + ")"
    )
    return _run(page, said)


def _without_the_account(live: Live) -> None:
    found = _call(live, "{ messengerAccounts(first: 100) { nodes { uuid login } } }")["messengerAccounts"]
    for node in found["nodes"]:
        if node["login"] == "15005559001":
            _call(live, "mutation($id: ID!) { deleteMessengerAccount(id: $id) }", id=node["uuid"])


def test_the_examples_run_without_pasting_ids(page, live):
    _log_in(page, live)
    _without_the_account(live)  # other tests try the examples too
    owned = _call(
        live, "{ sendingProjects(first: 100, where: { status: { eq: draft } }) { nodes { uuid } } }"
    )
    for node in owned["sendingProjects"]["nodes"]:
        _call(live, "mutation($id: ID!) { deleteSendingProject(id: $id) }", id=node["uuid"])
    refused = _answered(page, "Who gets it, and off it goes", "StartProject", "no draft project")
    assert refused["errors"][0]["message"] == "There is no draft project yet. Run “A new project” first."
    made = _answered(page, "A new project", "CreateProject", "createSendingProject")["data"]
    started = _answered(page, "Who gets it, and off it goes", "StartProject", "startedAt")["data"]
    assert started["addRecipients"]["added"] == 2
    asked = "query($id: ID!) { sendingProject(id: $id) { counts { total } status } }"
    project = _call(live, asked, id=made["createSendingProject"]["uuid"])["sendingProject"]
    assert project["status"] in ("running", "finished")

    account = _answered(page, "A new messenger account", "AddMessengerAccount", "addMessengerAccount")["data"]
    _answered(page, "Connect it", "StartMessengerAccount", "startMessengerAccount")
    id, state = (
        account["addMessengerAccount"]["uuid"],
        "query($id: ID!) { messengerAccount(id: $id) { state } }",
    )
    eventually(lambda: _call(live, state, id=id)["messengerAccount"]["state"] == "working", "it is connected")
    written = _answered(page, "Write to somebody", "Write", "sendMessengerMessage")["data"]
    assert written["sendMessengerMessage"]["uuid"]
    _without_the_account(live)


_BOXES = """(() => {
    const box = (selector) => {
        const found = document.querySelector(selector).getBoundingClientRect();
        return [found.left, found.top, found.right, found.bottom].map(Math.round);
    };
    return {
        page: [0, 0, document.documentElement.scrollWidth, document.documentElement.scrollHeight],
        bar: box('.bar'), panels: box('.graphiql-sidebar'), editor: box('.graphiql-query-editor'),
        answer: box('.graphiql-response'), run: box('.graphiql-execute-button'),
    };
})()"""


def test_on_a_phone(page, live):
    """390 pixels: nothing is cut off, and editor and answer have the whole width, one over the other."""
    page.call("Emulation.setDeviceMetricsOverride", width=390, height=844, deviceScaleFactor=1, mobile=True)
    page.reload()
    page.shows(".examples")
    covered = "document.elementFromPoint(195, 500).closest('.graphiql-plugin') !== null"
    page.wait(covered)
    _example(page, "Is all well? (without a login)")
    page.wait(f"!({covered})")
    page.wait("document.querySelector('.graphiql-tab-active').textContent.includes('Readiness')")
    drawn = "[...document.querySelectorAll('.graphiql-query-editor .CodeMirror-line')].map(one => one.textContent)"
    page.wait(f"{drawn}.join().includes('query Readiness')")
    page.click(".graphiql-execute-button")
    page.wait(f"({_RESULT}).includes('database')")

    boxes = page.evaluate(_BOXES)
    assert boxes["page"][2:] == [390, 844]
    assert boxes["bar"][3] <= 50, "one line"
    assert boxes["panels"][1] >= boxes["bar"][3] and boxes["panels"][2] == 390
    for name in ("editor", "answer"):
        left, top, right, bottom = boxes[name]
        assert left >= 0 and right <= 390 and bottom <= 844, name
        assert right - left > 340 and bottom - top > 150, name
    assert boxes["editor"][3] <= boxes["answer"][1]
    assert boxes["run"][2] <= 390

    _log_in(page, live)
    page.shows("#leave")
    assert page.evaluate("document.querySelector('#leave').getBoundingClientRect().right") <= 390
    assert page.evaluate("document.documentElement.scrollWidth") == 390
