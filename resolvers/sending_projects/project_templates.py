"""Projects whose texts come from a template: the texts of a published version are copied into the project.

So a plan covers them, approvals show them, and a project that runs keeps them, whatever becomes of the template.
"""

from collections.abc import Mapping
from typing import Any, Final
from uuid import UUID

from resolvers.templates.template_rows import parts_of, published
from runtime.operation import Op
from shapes.sending_projects import NewSendingProject, ProjectChannel, SendingProjectPatch

TEXTS: Final = frozenset({"subject", "html", "text", "variants"})
"""The columns that a template sets."""
NO_TEMPLATE: Final[Mapping[str, Any]] = {
    "template_id": None,
    "template_version": None,
    "template_locale": None,
}
"""The columns of a project whose texts come from no template."""


async def texts_of_template(
    op: Op, owner: UUID, input: NewSendingProject | SendingProjectPatch, channel: ProjectChannel
) -> dict[str, Any]:
    """Returns the columns of a project that names a template: its texts for the channel, and which text that is.

    Raises NotFound (`template_not_found`, `template_version_not_found`), BadRequest (`template_archived`,
    `template_not_published`, `template_lacks_part`).
    """
    key = input.template_key
    assert key is not None
    text = await published(op.db, owner, key, input.template_version, input.locale)
    return {
        **parts_of(channel, text.subject, text.text, text.html, key),
        "variants": [],
        "template_id": text.template_id,
        "template_version": text.number,
        "template_locale": text.locale,
    }
