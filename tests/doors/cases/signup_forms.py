"""The cases of sign-up forms and their pages, as tests/doors/case.py describes them."""

from tests.doors.case import UNKNOWN, Case, Rest
from tests.support.people import Person

_ID = {"id": "{signup_form}"}
_TOKEN = "A" * 43
_PAGE = "a page for people, behind a link"

CASES: dict[str, Case] = {
    "signup_forms.page": Case(
        "own", Rest("GET", "/signup-forms"), "{signupForms{nodes{uuid name owner{email}}}}"
    ),
    "signup_forms.get": Case(
        "row",
        Rest("GET", "/signup-forms/{signup_form}"),
        "query($id:ID!){signupForm(id:$id){uuid name}}",
        _ID,
    ),
    "signup_forms.embed": Case(
        "row",
        Rest("GET", "/signup-forms/{signup_form}/embed?style=false&locale=de"),
        "query($id:ID!){signupFormEmbed(id:$id){url html}}",
        _ID,
    ),
    "signup_forms.create": Case(
        "row",
        Rest("POST", "/signup-forms", {"name": "Rest", "topicUuids": ["{topic}"]}, 201),
        'mutation($t:UUID!){createSignupForm(input:{name:"GraphQL",topicUuids:[$t]}){uuid}}',
        {"t": "{topic}"},
    ),
    "signup_forms.update": Case(
        "row",
        Rest("PATCH", "/signup-forms/{signup_form}", {"name": "Changed"}),
        'mutation($id:ID!){updateSignupForm(id:$id,input:{name:"Again"}){uuid}}',
        _ID,
    ),
    "signup_forms.delete": Case(
        "row",
        Rest("DELETE", f"/signup-forms/{UNKNOWN}", status=404),
        "mutation($id:ID!){deleteSignupForm(id:$id)}",
        {"id": UNKNOWN},
        owner="signup_form_not_found",
    ),
    "signups.form": Case("public", Rest("GET", "/signup/{signup_form}"), None, why=_PAGE),
    "signups.sign_up": Case("public", Rest("POST", f"/signup/{UNKNOWN}", status=404), None, why=_PAGE),
    "signups.opt_in": Case("public", Rest("GET", f"/opt-in/{_TOKEN}", status=404), None, why=_PAGE),
    "signups.confirm": Case("public", Rest("POST", f"/opt-in/{_TOKEN}", status=404), None, why=_PAGE),
    "preferences.show": Case("public", Rest("GET", f"/preferences/{_TOKEN}", status=404), None, why=_PAGE),
    "preferences.save": Case("public", Rest("POST", f"/preferences/{_TOKEN}", status=404), None, why=_PAGE),
    "self_service.ask": Case(
        "public", Rest("POST", f"/preferences/{_TOKEN}/your-data", status=400), None, why=_PAGE
    ),
    "self_service.show": Case("public", Rest("GET", f"/your-data/{_TOKEN}", status=404), None, why=_PAGE),
    "self_service.confirm": Case("public", Rest("POST", f"/your-data/{_TOKEN}", status=404), None, why=_PAGE),
}


async def rows(ada: Person) -> dict[str, str]:
    """Ada's rows, by the names that the cases use."""
    topic = (await ada.rest("POST", "/topics", json={"key": "of-a-form", "name": "News"})).json()["id"]
    form = await ada.rest("POST", "/signup-forms", json={"name": "Secret form", "topicUuids": [topic]})
    return {"signup_form": form.json()["id"]}
