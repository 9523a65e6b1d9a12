import erasures from "./erasures.en";
import lists from "./lists.en";
import segments from "./segments.en";
import topics from "./topics.en";

const texts = {
  ...erasures,
  ...lists,
  ...segments,
  ...topics,
  contacts: {
    needIdentity: "Enter an address or an external id first.",
    about: "People whom you write to, each with all addresses and what you know of them.",
    search: "Words of the name, or a whole address",
    name: "Name",
    nameless: "Without a name",
    addresses: "Addresses",
    addressesHint: "One a line, such as anna@example.com, +14155550100 or whatsapp +14155550100.",
    noAddress: "No address is known.",
    externalId: "External id",
    externalIdHint: "The id of the person in your own system.",
    timezone: "Time zone",
    locale: "Language",
    channel: "Channel",
    channels: { email: "Email", sms: "SMS", push: "Push", telegram: "Telegram", whatsapp: "WhatsApp" },
    field: "Field",
    value: "Value",
    key: "Name of the field",
    keyHint: "Letters, digits and _, as programs write it. It can't be changed later.",
    label: "Name for people",
    type: "Type",
    types: {
      text: "Text",
      number: "Number",
      date: "Day, such as 1990-02-28",
      bool: "true or false",
      list: "Texts, separated by commas",
    },
    timeline: "Timeline",
    nothingWritten: "Nothing was written to these addresses, or you may not read it.",
    entries: { message: "Message", record: "Message of a project", reply: "Reply", chat: "Chat" },
    primary: "first choice",
    verified: "verified",
    known: "Known",
    added: "Added",
    changed: "Changed",
    add: "Add a contact",
    addField: "Add a field",
    write: "Write",
    writeTo: "Write to {{address}} ({{channel}})",
    edit: "Edit",
    editTitle: "Edit the contact",
    merge: "Merge",
    mergeText:
      "The addresses and fields of the other contact come to this one, and the other is deleted. What this one has stays.",
    otherAddress: "An address of the other contact",
    noOther: "No other contact has this address.",
    delete: "Delete",
    deleteTitle: "Delete {{name}}?",
    deleteText: "The contact is deleted with its addresses. Messages that were sent stay.",
    empty: "There is no contact yet.",
    emptyHint: "Contacts are the people whom you write to. Add one here, or import a list.",
    nothingFound: "No contact matches. Of an address write all of it.",
    total_one: "{{number}} contact",
    total_other: "{{number}} contacts",
    more: "Show more",
    notFound: "There is no contact at this address. It may have been deleted, or merged with another one.",
  },
};
export default texts;

declare module "../../../frame/i18n/catalogue" {
  interface Texts {
    contacts: typeof texts;
  }
}
