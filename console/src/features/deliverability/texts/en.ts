const texts = {
  deliverability: {
    about: "What mailbox providers do with your emails, and how often recipients report them as spam.",
    range: "Period",
    ranges: { day: "24 hours", week: "7 days", month: "30 days", quarter: "90 days" },
    provider: "Provider",
    project: "Project",
    projects: "By project",
    providers: {
      gmail: "Gmail",
      microsoft: "Outlook and Hotmail",
      yahoo: "Yahoo and AOL",
      apple: "iCloud",
      yandex: "Yandex",
      mailru: "Mail.ru",
      other: "Others",
    },
    accepted: "Accepted",
    bounced: "Came back",
    deferred: "Delayed",
    complaints: "Reported as spam",
    level: "Complaints",
    levels: { ok: "Below 0.1 %", warning: "From 0.1 %", bad: "From 0.3 %" },
    rescued: "{{number}} not spam",
    reasons: {
      hard: "no such address: {{number}}",
      mailboxFull: "mailbox full: {{number}}",
      content: "content refused: {{number}}",
      policy: "sender refused: {{number}}",
      soft: "passing or unknown: {{number}}",
    },
    advice: {
      warning:
        "From 0.1 % of complaints on, providers put emails into the spam folder more often: {{providers}}. Write to fewer people who did not ask for it, and make it easy to unsubscribe.",
      bad: "From 0.3 % of complaints on, providers refuse emails: {{providers}}. Stop promotional emails to them, and find out which ones were reported.",
    },
    degraded: {
      title: "{{provider}} turns against your emails",
      text: "Found {{time}}: of {{accepted}} emails within 24 hours it refused {{policy}} because of the sender, and {{complaints}} were reported as spam. It is over when both together are below 0.1 %.",
    },
    pause: {
      title: "{{provider}} refuses mail from {{domain}}",
      text: "No email has failed by it: they wait until {{time}}, when one of them shows whether they are taken again. The provider said:",
      lift: "Send again now",
      liftTitle: "Send again now?",
      liftText:
        "Correct first what the provider names: it refuses more firmly each time. The emails that wait go at once.",
      lifted: "The emails go again.",
    },
    rules: {
      title: "How fast emails go",
      none: "Emails go to each provider as fast as it takes them. A rule for a domain limits them, warms it up, and has them wait while a provider refuses the sender.",
      set: "Set a rule",
      save: "Save",
      wasSet: "The rule holds within two seconds.",
      domain: "Domain",
      domainHint: "The domain of the From; that of the channel for emails without one.",
      each: "Each provider",
      today: "Warm-up today",
      allowance: "{{number}} allowed",
      inFlight: "At once",
      perMinute: "A minute",
      warmUp: "Warm-up: emails of each day",
      warmUpHint: "The first day is the day on which it is set. After the last one there is no limit.",
      pauses: "Have emails wait while a provider refuses the sender",
      noPauses: "without pauses",
      actions: "Actions",
      change: "Change the rule of {{domain}}",
      removeOf: "Delete the rule of {{domain}}",
      remove: "Delete",
      removeTitle: "Delete this rule?",
      removeText: "The emails from {{domain}} that wait for it go at once.",
      removed: "The rule is deleted.",
    },
    legend:
      "Rates compare the reports of this period with the emails accepted in it. “Came back” has emails that were accepted and returned later; those that a server refused at once are in the result of their project. Other domains are found by their mail servers; until one has been looked up, its emails count under Others, and stay there.",
    empty: "No email was sent in this period.",
    emptyHint: "Emails are counted from the version on that has this page.",
  },
};

export default texts;

declare module "../../../frame/i18n/catalogue" {
  interface Texts {
    deliverability: typeof texts;
  }
}
