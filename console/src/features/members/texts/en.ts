const texts = {
  members: {
    needPermission: "Choose a permission first.",
    about:
      "People who act for you, each with a login and a role of their own. The audit says who did what. Nobody shares a password.",
    invite: "Invite a member",
    makeInvitation: "Make the invitation",
    emailHint: "The email with which the person logs in here. Only this person can accept the invitation.",
    person: "Person",
    role: "Role",
    state: "State",
    invitedAt: "Invited",
    actions: "Actions",
    states: { joined: "Member", invited: "Invited", expired: "Invitation expired" },
    until: "until",
    since: "on",
    may: {
      manager: "Everything but your user, opening and closing accounts, and members",
      editor: "Prepares projects: recipients, texts, blocks, files and exports. Starts nothing.",
      sender: "Starts, stops and repeats projects. Edits nothing.",
      approver: "Looks at plans of projects, and approves or refuses them. Edits and starts nothing.",
      support: "The inbox, chats and single messages. No projects and no exports.",
      viewer: "Sees projects, their results, statistics and prices. No recipients and no messages.",
      billing: "Sees balances, ledgers, statistics and prices",
    },
    chosen: "Chosen permissions",
    chosenHint: "You choose them one by one, in place of a role.",
    somePermissions_one: "{{number}} permission",
    somePermissions_other: "{{number}} permissions",
    empty: "Nobody acts for you yet.",
    emptyHint: "Invite a colleague, who then works with your data by a login of their own.",
    notForAdmins: "An administrator can't have members.",
    notForAdminsHint:
      "They would act with less than you may. Invite them with a user that is no administrator, or make them users.",
    change: "Change",
    changeOf: "Change what {{email}} may",
    changeTitle: "What {{email}} may",
    changeText:
      "It counts at once. What you take away is also taken from the API tokens that this member has made; webhooks, event sinks, hook secrets and hook keys that they may not make any more end.",
    changed: "{{email}} may now do what you have chosen.",
    renew: "New link",
    renewOf: "Make a new link for {{email}}",
    remove: "Remove",
    removeOf: "Remove {{email}}",
    removeTitle: "Remove {{email}}?",
    removeText:
      "This person does not see your data any more; open pages end within seconds. API tokens, webhooks, event sinks, hook secrets and hook keys that this person has made for you end.",
    keepTokens: "Keep the API tokens that this member has made",
    keepTokensHint: "They become yours. Otherwise they end, and programs that use them stop.",
    keepWebhooks: "Keep the webhooks and event sinks that this member has made",
    keepWebhooksHint:
      "They become yours and go on, with what the member was allowed. Otherwise they are switched off.",
    keepHookSecrets: "Keep the hook secrets and hook keys that this member has made",
    keepHookSecretsHint:
      "They become yours, and whoever knows them may go on reporting. Otherwise engines that use them are refused.",
    inUse:
      "The member has made these, they would end now, and they were used within the last week. Choose what becomes of them, and confirm again.",
    credentials: {
      api_token: "API token",
      webhook: "Webhook of the event feed",
      messenger_webhook: "Webhook of a messenger account",
      event_sink: "Event sink",
      hook_secret: "Hook secret",
      hook_key: "Hook key",
      export: "Export",
    },
    ended_one: "{{number}} credential that this member had made has ended.",
    ended_other: "{{number}} credentials that this member had made have ended.",
    removed: "{{email}} is no member any more.",
    withdraw: "Withdraw",
    withdrawOf: "Withdraw the invitation of {{email}}",
    withdrawTitle: "Withdraw the invitation of {{email}}?",
    withdrawText: "Its link does not work any more. You can invite this person again.",
    withdrawn: "The invitation of {{email}} is withdrawn.",
    linkTitle: "Invitation for {{email}}",
    mailed: "A mail with the link is on its way to {{email}}. It can be accepted for seven days.",
    showLink: "Show the link",
    linkText:
      "Send this link to {{email}}. It works once, and only with a login of this email. Who has no user here yet asks an administrator for one first.",
    linkUntil: "The link is valid until {{time}}. A new one can be made at any time.",
    copyLink: "Copy the link",
    linkDone: "I have copied it",
  },
  approvalRule: {
    incomplete: "Enter a number of recipients or an amount.",
    title: "Approval of projects",
    about:
      "Which projects start only after another person has looked at what will be sent, and has approved exactly that. Nobody decides about a plan that they have asked for, or whose texts, recipients or times they have changed since the last approval.",
    who: "You, managers and approvers decide; somebody who has only an API token never does.",
    change: "Change the rule",
    changed: "The rule is changed.",
    changedText: "Projects that run go on. A scheduled one needs its approval when its time comes.",
    mode: "Which projects need an approval",
    modes: {
      off: {
        name: "None",
        hint: "Plans can still be made and approved, and a start obeys the plan that it names.",
      },
      above: { name: "Large ones", hint: "Those beyond a number of recipients or a cost." },
      always: { name: "All", hint: "Every project, also a small one." },
    },
    aboveRecipients: "More recipients than",
    aboveAmount: "Costs more than",
    aboveHint: "Empty: it does not matter.",
    amountHint: "In the currency of the paying account. Empty: it does not matter.",
    channels: "Only of these channels",
    categories: "Only of these kinds",
    allHint: "None ticked: all.",
    self: "You may approve what you have changed or asked for yourself",
    selfHint: "For owners who work alone. It is still an approval of the exact plan.",
    now: {
      off: "No project needs an approval.",
      above: "Projects with {{limits}} need an approval before they start.",
      always: "Every project needs an approval before it starts.",
    },
    moreRecipients_one: "more than {{number}} recipient",
    moreRecipients_other: "more than {{number}} recipients",
    moreAmount: "a cost of more than {{amount}}",
    or: "or",
    only: "Only: {{names}}.",
    selfNow: "You may approve your own changes.",
  },
  join: {
    title: "Invitation to act for somebody",
    text: "Somebody has invited you to work with their data. You keep your own login and your own data.",
    as: "You are logged in as {{email}}.",
    accept: "Accept the invitation",
    later: "Not now",
    login: "Log in and accept",
    loginText:
      "Log in with the email that was invited, and you come back here. If you have no user here yet, ask an administrator for one.",
    another: "Log in as somebody else",
    token: "Token of the invitation",
    tokenHint: "It is in the link that you have received, and begins with mbr_.",
    wrongPerson: "This invitation is for another email",
    wrongPersonText:
      "You are logged in as {{email}}. Log in as the person who was invited, or ask for an invitation for your own email.",
    invalid: "This invitation is not valid",
    invalidText:
      "It has expired, was used, was withdrawn, or there is a newer one. Ask the person who has invited you for a new link.",
    memberText: "You act for this person already. Choose whom you act for in the menu of your account.",
    accepted: "You act for {{name}}",
    acceptedText:
      "Your role: {{role}}. The menu of your account changes between your own data and theirs, for each tab.",
    start: "Act for {{name}} now",
    own: "To your own data",
  },
};

export default texts;

declare module "../../../frame/i18n/catalogue" {
  interface Texts {
    members: typeof texts;
  }
}
