"""A member plans the owner's project."""

from tests.members.made import joined
from tests.support.people import Person

_CREATE = "mutation($i:NewSendingProject!){createSendingProject(input:$i){uuid}}"
_ADD = "mutation($p:ID!,$i:AddRecipients!){addRecipients(sendingProjectId:$p,input:$i){added}}"
_PLAN = "query($id:ID!){sendingProjectPlan(id:$id){toSend cost{amount}}}"


async def test_an_editor_sees_the_plan(ada: Person, bob: Person):
    member, _ = await joined(ada, bob, "editor")
    made = await member.data(_CREATE, {"i": {"name": "Spring", "channel": "sms", "text": "Hello"}})
    id = made["createSendingProject"]["uuid"]
    await member.data(_ADD, {"p": id, "i": {"recipients": [{"address": "+15005550000"}]}})
    plan = await member.data(_PLAN, {"id": id})
    assert plan["sendingProjectPlan"]["toSend"] == 1
