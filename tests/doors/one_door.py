"""Operations that only one of the two doors has, each with its reason: the list to which nothing is added without one.

`PAIRS` are questions that both doors answer, by an operation each: a relation of many rows at once in GraphQL is asked
for one row in REST. A list that is a connection in GraphQL (`page`) and pages in REST (`list`) is such a pair by its
names.
"""

# GraphQL's operation: REST's
PAIRS = {
    "accounts.ledgers": "accounts.ledger_of",
    "chat_labels.of_chats": "chat_labels.of_chat",
    "chat_notes.of_chats": "chat_notes.page",
    "deliverability.of_projects": "deliverability.of_project",
    "event_sinks.statuses": "event_sinks.status",
    "imports.lines": "imports.rows",
    "message_records.get": "message_records.with_text",
    "message_records.locales": "message_records.with_text",
    "message_records.texts": "message_records.with_text",
    "message_records.waiting_for": "message_records.with_text",
    "messages.get": "messages.explained",
    "messages.steps": "messages.explained",
    "messages.waiting_for": "messages.explained",
    "messenger_accounts.page": "messenger_accounts.everything",
    "messenger_relations.state_changes": "messenger_relations.state_changes_of",
    "project_results.of_projects": "project_results.get",
    "price_lists.versions": "price_lists.versions_of",
    "processing.progress": "processing.progress_of",
    "repeatable.next_runs": "repeatable.next_runs_of",
    "statistics.failure_reasons": "statistics.failure_reasons_of",
    "statistics.of_projects": "statistics.intervals_of",
    "statistics.variants": "statistics.variants_of",
    "template_versions.get": "template_versions.with_texts",
    "webhook_deliveries.counts": "webhook_deliveries.counts_of",
}

# Relations, which lead from many rows to others at once. REST shows ids, and has the lists and rows themselves.
RELATIONS = r"\.(of_[a-z]+|by_ids|related|[a-z_]+_of|entries_of_messages)$"

GRAPHQL_ALONE = {
    "approvals.emails": "a relation of approvals; REST shows the ids, and the email of who asks in the review",
    "changes.messages": "a subscription; REST has the event feed, and webhooks",
    "changes.projects": "a subscription; REST has the event feed, and webhooks",
    "changes.queue": "a subscription; REST asks again: /queue/statistics",
    "event_feed.follow": "a subscription; REST reads /events from a cursor",
    "inbox.changes": "a subscription; REST has webhooks",
    "messenger_accounts.changes": "a subscription; REST has webhooks",
    "price_lists.current": "a relation of lists; REST lists the versions with the moments from which they hold",
    "project_plans.are_current": "a relation of plans; REST says it of the plan of an approval, in the review",
    "webhook_deliveries.letters": "a relation of webhooks; REST has the dead letters of one (`dead`)",
}

OTHER_DOORS_ALONE = {
    "agents.exchange": "the token endpoint of OAuth (doors/mcp/oauth.py), in OAuth's own form",
    "agents.register": "the registration endpoint of OAuth, which programs call",
    "agents.require_client": "the token endpoint of OAuth, before a refresh",
    "submissions.check": "a recipient of a mail that is submitted by SMTP (doors/smtp)",
    "submissions.log_in": "the login of a mail program",
    "submissions.submit": "a mail as a whole, from a mail program",
    "submissions.submit_single": "the same with one recipient",
}
"""Operations that neither GraphQL nor REST has. Their tests are in tests/mcp, tests/resend and tests/submissions."""

REST_ALONE = {
    "brand_domains.ask": "a proxy calls it before it asks for a certificate",
    "chats.media": "bytes, behind a signed link; GraphQL shows the link",
    "chats.messages": "the vendor's form of `written`, oldest first",
    "console.access_token": "GraphQL takes the console's cookie itself",
    "console.demo_login": "it is for the page on which nobody is logged in",
    "console.log_in": "it sets a cookie of the browser",
    "console.log_out": "it ends a cookie of the browser",
    "files.payload": "bytes, behind a signed link; GraphQL shows the link",
    "hooks.receive": "providers call it",
    "hooks.receive_cloud": "Meta calls it",
    "hooks.verify_cloud": "Meta calls it",
    "media.serve": "bytes, at a public address; GraphQL shows the address",
    "reconciliations.printed": "a page for a printer, behind a signed link; GraphQL shows the link",
    "logins.screenshot": "a picture, behind a signed link; GraphQL shows the link",
    "reconciliations.keys": "programs that check signatures look for it at this address",
    "statements.printed": "a page for a printer, behind a signed link; GraphQL shows the link",
    "reconciliations.lines": "a stream of NDJSON, of any length",
    "sending_projects.search": "the specification's search; GraphQL's list has `where`",
    "trial.outcome": "the result alone, as sending answered it; both doors have the message (`get`)",
    "preferences.save": "a page for people, behind a link in their messages",
    "preferences.show": "a page for people, behind a link in their messages",
    "self_service.ask": "a button of a page for people",
    "self_service.confirm": "a page for people, behind a link in a message",
    "self_service.show": "a page for people, behind a link in a message",
    "signups.confirm": "a page for people, behind a link in a message",
    "signups.form": "a page for people",
    "signups.opt_in": "a page for people, behind a link in a message",
    "signups.sign_up": "a form of a page for people",
    "undo.confirm": "a page for people, behind a link in an email",
    "undo.show": "a page for people, behind a link in an email",
    "clicks.follow": "browsers call it, by a link in an email",
    "web_copies.show": "a page for people, behind a link in an email",
    "unsubscribe.confirm": "mail programs call it",
    "unsubscribe.stands": "a page for people, behind a link in an email",
    "verification_pages.enter": "a page for people, to which a link of the integrator leads",
    "verification_pages.show": "a page for people, to which a link of the integrator leads",
    "webhooks.list": "pages by number; both doors have pages by cursor (`page`)",
    "webhooks.remove": "the vendor's form of `delete`, by the URL",
}
