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
  },
};
