export default {
  audience: {
    topics: "Subscribers of topics",
    topicsHint: "Whoever is subscribed to one of them on the channel {{channel}} gets the project once.",
    noTopic: "There is no topic of this category yet.",
    segments: "Only those in these segments",
    segmentsHint: "Whoever is in one of them. Without a choice, all subscribers of the topics get it.",
    segmentsAlone: "Contacts in segments",
    segmentsAloneHint:
      "A project that is not promotional may have segments alone: then it goes to all contacts in them who have an address on the channel {{channel}}. With topics, it goes to those of their subscribers who are in one of the segments.",
    askedPromotional:
      "“{{name}}” is chosen. Advertising goes only to people who have agreed to a topic: choose the topic too, and it goes to those of its subscribers who are in the segment. If it is no advertising, switch “This is advertising” off above.",
    needTopic:
      "A topic is missing. Advertising goes only to people who have agreed to one: choose a topic, or switch “This is advertising” off.",
    noneOn: "None of these people is reached on the channel {{channel}}; {{other}} reaches some.",
    sendBy: "Send by this channel: {{channel}}",
    changed: "None of these people is reached on the channel {{channel}}. The channel is now: {{other}}.",
    exceptTopics: "Without the subscribers of",
    exceptSegments: "Without the contacts in",
    exceptProjects: "Without the recipients of",
    projects_one: "{{number}} project",
    projects_other: "{{number}} projects",
    readLater: "Who is subscribed is read when the project starts; the plan says how many that are now.",
    wasRead: "The subscribers were read when the project was first started, so they stay as they are.",
    because: {
      noSubscriber_one: "The topic has no subscribers. Import them, or subscribe contacts on their pages.",
      noSubscriber_other:
        "None of the {{count}} topics has subscribers. Import them, or subscribe contacts on their pages.",
      unconfirmed_one:
        "The only subscriber has not confirmed the subscription yet. Whoever confirms before the start gets the project.",
      unconfirmed_other:
        "None of the {{number}} subscribers has confirmed the subscription yet. Those who confirm before the start get the project.",
      otherChannel_one:
        "The only subscriber is not subscribed on the channel {{channel}}. Choose another channel in the first step.",
      otherChannel_other:
        "None of the {{number}} subscribers is subscribed on the channel {{channel}}. Choose another channel in the first step.",
      leftOut_one:
        "The only subscriber on this channel is in none of the segments, is left out, or has no address.",
      leftOut_other:
        "Each of the {{number}} subscribers on this channel is in none of the segments, is left out, or has no address.",
      emptySegments:
        "No contact of the segments has an address of the channel {{channel}}. Choose another channel or other segments in the first step.",
    },
    consent: {
      title: "A project does not look at consent",
      text: "all rows of this list become recipients, whatever this column says. Import the list as contacts: there only people who have agreed are subscribed to a topic, and you send to the topic.",
      import: "Import as contacts",
    },
  },
  again: {
    title: "Send to those who…",
    with: "{{those}}: {{number}}",
    missed: "did not get it",
    silent: "did not answer",
    reached: "got it",
    bounced: "whose mail came back",
    hint: "Each begins a new project to them. Those who did not get it are followed up by another channel; the others become a segment.",
    overlap_one: "{{number}} of these people got “{{name}}” within the last day.",
    overlap_other: "{{number}} of these people got “{{name}}” within the last day.",
    leaveOut: "Leave them out",
  },
  following: {
    nameOf: "{{name}} – follow-up",
    title: "Follow-ups",
    label: "Follow-up",
    fact: "Those whom {{name}} has not reached: {{state}} within {{duration}}",
    another: "another project",
    states: { accepted: "accepted by the provider", delivered: "delivered", read: "read" },
    intro: "It goes to those whom {{name}} does not reach, to each as soon as that is clear.",
    until: "A message has reached its recipient when it is",
    untilHint: "Automatic: delivered if the channel {{channel}} reports that, otherwise accepted.",
    automatic: "Automatic",
    within: "Within",
    withinHint: "Counted from the sending. A message that fails is followed at once.",
    badSpan: "From 1 minute to 30 days, as a whole number.",
    scale: "Minutes, hours or days",
    scales: { minute: "minutes", hour: "hours", day: "days" },
    addresses: {
      same: "It is sent to the same addresses.",
      phone:
        "The number is the one of the recipient's contact, or else the one that the list had in a column, such as “phone”. Recipients without a number are left out.",
      email:
        "The address is the one of the recipient's contact, or else the one that the list had in a column, such as “email”. Recipients without an address are left out.",
      push: "The device is the one of the recipient's contact. Recipients without a device are left out.",
    },
    topics: "Only subscribers of these topics",
    topicsHint:
      "The consent to one channel is none to another: only those who are subscribed to one of them on the channel {{channel}} are written to.",
    needTopic:
      "Choose a topic: “{{name}}” goes to subscribers of topics, so advertising that follows it needs one, too.",
    others: "Choose others",
    later: "Its recipients are added when it is clear whom the project that it follows has not reached.",
    nobody: "Nobody was left to write to.",
    nobodyYet:
      "No recipient of the project that it follows has an address of the channel {{channel}} yet. Choose another channel in the first step.",
    planned:
      "The plan counts everybody whom the project that it follows may not reach. How many it will not reach is not known yet.",
    startQuestion_one: "At most {{number}} message is sent.",
    startQuestion_other: "At most {{number}} messages are sent.",
    scheduleQuestion_one: "At most {{number}} message is sent from {{time}} on.",
    scheduleQuestion_other: "At most {{number}} messages are sent from {{time}} on.",
    startCost: "It costs at most {{price}}.",
  },
};
