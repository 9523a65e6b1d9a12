"""The dialogs and menus of contacts, topics, segments and sign-up forms; see dialogs.py."""

from tests.console.dialogs import MENU, State, icon

OF_CONTACTS = [
    State("add-contact", "features/contacts/ContactDialog.tsx", "/contacts?add=1"),
    State("add-field", "features/contacts/FieldDialog.tsx", "/contacts", (icon("forms"),)),
    State(
        "merge-contact", "features/contacts/MergeDialog.tsx", "/contacts/{contact}", (icon("arrow-merge"),)
    ),
    State("delete-contact", "features/contacts/ContactPage.tsx", "/contacts/{contact}", (icon("trash"),)),
    State("erase-contact", "features/contacts/ContactPage.tsx", "/contacts/{contact}", (icon("eraser"),)),
    State(
        "subscribe", "features/contacts/consent/SubscribeDialog.tsx", "/contacts/{contact}", (icon("plus"),)
    ),
    State(
        "withdraw-topic",
        "features/contacts/consent/WithdrawDialog.tsx",
        "/contacts/{contact}",
        ("main td button",),
    ),
    State("add-topic", "features/contacts/topics/TopicDialog.tsx", "/contacts/topics?add=1"),
    State("preview-topics", "features/contacts/topics/PreferencesDialog.tsx", "/contacts/topics?preview=1"),
    State(
        "add-contacts",
        "features/contacts/topics/AddContactsDialog.tsx",
        "/contacts/topics/{topic}",
        (icon("user-plus"),),
    ),
    State("delete-topic", "features/contacts/topics/TopicsPage.tsx", "/contacts/topics", (icon("trash"),)),
    State("add-segment", "features/contacts/segments/SegmentDialog.tsx", "/contacts/segments?add=1"),
    State(
        "edit-segment",
        "features/contacts/segments/SegmentDialog.tsx",
        "/contacts/segments?edit={segment}",
        (),
        "[role=dialog] fieldset",
    ),
    State(
        "delete-segment",
        "features/contacts/segments/SegmentsPage.tsx",
        "/contacts/segments",
        (icon("trash"),),
    ),
    State("add-form", "features/contacts/forms/SignupFormDialog.tsx", "/contacts/forms?add=1"),
    State("form-code", "features/contacts/forms/CodeDialog.tsx", "/contacts/forms", (icon("code"),)),
    State("delete-form", "features/contacts/forms/FormsPage.tsx", "/contacts/forms", (icon("trash"),)),
    State(
        "write-to-contact",
        "features/contacts/WriteMenu.tsx",
        "/contacts/{contact}",
        (icon("send"),),
        MENU,
    ),
]
