"""Sends by a template with variables, and shows what an error says: `python templates_and_errors.py anna@example.com`."""

import sys

from postern_sdk import BadRequest, Conflict, Postern
from postern_sdk.models import NewTemplate, SaveTemplateVersion, SendMessage, TemplateTextInput

KEY = "order-shipped"

with Postern() as postern:
    try:
        template = postern.templates.create(NewTemplate(key=KEY, name="Your order is on its way"))
    except Conflict as error:
        sys.exit(error.explain())  # there is one with this key
    text = TemplateTextInput(
        locale="en", subject="Order {{ order }}", text="Hello {{ name }}, order {{ order }} is on its way."
    )
    draft = postern.template_versions.save(template.id, SaveTemplateVersion(texts=[text]))
    postern.template_versions.publish(draft.id)

    message = SendMessage(channel="email", to=sys.argv[1], template_key=KEY, variables={"name": "Anna"})
    try:
        postern.messages.send(message)
    except BadRequest as error:
        if error.code != "missing_variable":  # programs compare the code, which is stable
            raise
        print(error.explain())
        print("missing", *error.details["missing"])
    message.variables = {"name": "Anna", "order": "4711"}
    print("sent", postern.messages.send(message).id)
