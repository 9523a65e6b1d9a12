import approvals from "./approvals.en";
import audience from "./audience.en";
import fitting from "./fitting.en";
import making from "./making.en";
import reconciliation from "./reconciliation.en";
import repeatable from "./repeatable.en";
import report from "./report.en";
import writing from "./writing.en";

const texts = {
  ...approvals,
  ...audience,
  ...fitting,
  ...making,
  ...reconciliation,
  ...repeatable,
  ...report,
  ...writing,
  projects: {
    title: "Projects",
    new: "New project",
    columns: {
      name: "Name",
      channel: "Channel",
      state: "State",
      story: "What happens",
      progress: "Progress",
      created: "Created",
    },
    states: {
      draft: "Draft",
      scheduled: "Scheduled",
      running: "Running",
      paused: "Paused",
      stopped: "Stopped",
      finished: "Finished",
    },
    nameFilter: "Name",
    order: "Order",
    orders: { newest: "Newest first", oldest: "Oldest first", changed: "Last changed", name: "By name" },
    total_one: "{{number}} project",
    total_other: "{{number}} projects",
    nothingFound: "No project matches these filters.",
    story: {
      draft: "Not started yet.",
      scheduled: "Starts {{time}}.",
      preparing: "Its messages are being prepared.",
      follows: "It waits for the messages of the project that it follows.",
      running: "Messages are being sent.",
      again: "Next try {{time}}.",
      stopped: "Continues when you start it.",
      finished: "Done {{time}}.",
    },
    first: {
      title: "Send one text to many people",
      text: "A project sends a text to a list of recipients, and shows what became of every message.",
      audience: "Upload a list (CSV or Excel), or paste phone numbers or addresses.",
      message: "Write the text. Names and other columns of the list can be put into it.",
      check: "Send a test to yourself, look at the plan and the price, and start.",
      single: "Or send a single message",
    },
  },
  project: {
    retryNone: "Choose what is sent again.",
    notFound: "There is no project with this id, or it belongs to another user.",
    allMessages: "Messages",
    replied: "Answered",
    html: "It has HTML: show it with its variables",
    bounces: "Came back, and reported as spam",
    links: "Clicks on links",
    link: "Link",
    humans: "People",
    machines: "Machines",
    machinesWhat:
      "Machines are mail filters and other programs that open links to check them. Each recipient counts once a link.",
    anonymous_one: "{{count}} click is of a browser that asks not to be tracked.",
    anonymous_other: "{{count}} clicks are of browsers that ask not to be tracked.",
    showHumans: "Show the {{number}} people who clicked on {{url}}",
    showMachines: "Show the {{number}} recipients whose machines opened {{url}}",
    retrySuppressed_one:
      "The last try left out {{number}} recipient, whose address is blocked after a hard bounce or a complaint.",
    retrySuppressed_other:
      "The last try left out {{number}} recipients, whose addresses are blocked after a hard bounce or a complaint.",
    recipientsOnly_one: "{{number}} recipient. Messages are made when the project starts.",
    recipientsOnly_other: "{{number}} recipients. Messages are made when the project starts.",
    messagesDeleted: "The messages and recipients were deleted {{time}}",
    messagesDeletedText:
      "This installation keeps them for a limited time. Counts, statistics and charges stay. Nobody can be written to again; duplicate the project to use its text.",
    stuck: "No message has moved for two minutes. Ask the operator to look at the workers.",
    pauseNext: {
      no_sender_online: "Connect one of the senders, and the project continues by itself.",
      balance_used_up: "Ask an administrator for credit, and the project continues by itself.",
      tariff_used_up: "It continues tomorrow (UTC), or with another tariff.",
      provider_refuses_credentials: "Ask the operator to correct the credentials. It is tried every minute.",
      owner_suspended: "It continues when the owner is active again.",
      recipients_failed: "Stop the project and start it again, to send to the recipients that were added.",
      missed_start: "Start it now, or give it another time and start it. Nothing was sent.",
      over_approved:
        "Look at the cost and the audience, stop the project, make a new plan, and have it approved.",
      approval_expired: "Make a new plan, have it approved, and start it. Nothing was sent.",
      restored: "Look at who has got it already, and start it if the rest is still wanted.",
    },
    actions: {
      goOn: "Continue editing",
      edit: "Edit",
      start: "Start",
      startNow: "Start now",
      continue: "Continue",
      stop: "Stop",
      delete: "Delete",
      repeat: "Send by a schedule…",
      duplicate: "Duplicate…",
      followUp: "Follow up",
    },
    questions: {
      start: { title: "Start “{{name}}”?", text: "Its messages are sent at once." },
      startNow: { title: "Start “{{name}}” now?", text: "It does not wait for its time any more." },
      continue: {
        title: "Continue “{{name}}”?",
        text: "Sending goes on where it stopped. {{number}} messages are waiting. Nobody gets a message twice.",
      },
      stop: {
        title: "Stop “{{name}}”?",
        text: "No further message is sent; {{number}} are waiting. Those that are just being sent still leave. You can continue at any time.",
      },
      delete: {
        title: "Delete “{{name}}”?",
        text: "The project and its recipients can't be brought back, and {{number}} waiting messages are not sent. The statistics stay.",
      },
    },
    failures: "Not delivered",
    unknownWhat: "The provider did not answer",
    causes: {
      blocked: {
        what: "The recipient is on your block list",
        next: "Correct an address that does not exist, or leave it. Remove another block only if the recipient agrees, then retry.",
      },
      no_price: {
        what: "The price list has no price for this number",
        next: "Ask an administrator to add one, then retry with this cause.",
      },
      country_not_allowed: {
        what: "SMS may not go to the country of this number",
        next: "Ask an administrator to allow the country, then retry with this cause.",
      },
      invalid_recipient: {
        what: "The channel can't reach this address",
        next: "Correct the address in your list.",
      },
      missing_variable: {
        what: "A variable of the text has no value for the recipient",
        next: "Complete the list, or let missing values be empty.",
      },
      empty_text: {
        what: "The text is empty for the recipient",
        next: "Check the text with this recipient.",
      },
      bad_text: {
        what: "The text can't be made for the recipient",
        next: "Check the text with this recipient.",
      },
      changed_after_plan: {
        what: "The contact was changed after the plan was made",
        next: "Make a new plan, have it approved if a rule asks for it, and retry.",
      },
      superseded: {
        what: "The message of the project that it follows has arrived meanwhile",
        next: "Nothing is to be done.",
      },
      bad_timezone: {
        what: "The recipient's time zone is not known",
        next: "Correct the time zone in your list.",
      },
    },
    retry: "Send again…",
    retryLater: "Possible when the project is finished or stopped.",
    retryTitle: "Send again",
    retryText: "Only these recipients get the message again. Nobody who has it gets it twice.",
    retryFailed: "Failed",
    retryFailedHint: "They were certainly not delivered. The price was refunded and is charged again.",
    retryFailedHintFree: "They were certainly not delivered.",
    retrySkipped: "Skipped",
    retrySkippedHint: "The cause is checked again, so correct it first.",
    retryCause: "{{what}} ({{number}})",
    showCause: "{{number}} messages: {{what}}",
    changeSpeed: "Change speed and hours",
    changeSpeedText: "It counts for all messages that have not been sent.",
    saveSpeed: "Save",
    endsNow: "All sent, as it is now",
    endsThen: "All sent, with this change",
    nothingLeft: "nothing is left to send",
    endless: "not within a year",
    leftToSend_one: "{{number}} message is left to send.",
    leftToSend_other: "{{number}} messages are left to send.",
    attempts_one: "{{count}} attempt",
    attempts_other: "{{count}} attempts",
    backoff: "the second one after {{duration}}",
    retryUnknown_one: "{{number}} message without an answer of the provider",
    retryUnknown_other: "{{number}} messages without an answer of the provider",
    retryUnknownHint: "Some of these recipients may get the message twice.",
    retryCount_one: "Send {{number}} again",
    retryCount_other: "Send {{number}} again",
    variants: "Results of the variants",
    exports: "Files",
    exportSources: { messages: "Messages", recipients: "Recipients" },
    noExports: "Save the messages or the recipients with their states as a file.",
    settings: "Settings",
    perMinute: "{{number}} a minute",
    perSender: "{{number}} a minute of each sender",
    recipientZone: "the recipient's own time, otherwise {{zone}}",
    startedAt: "Started",
    finishedAt: "Finished",
  },
};

export default texts;

declare module "../../../frame/i18n/catalogue" {
  interface Texts {
    projects: typeof texts;
  }
}
