export default {
  audience: {
    topics: "Subscribers of topics",
    topicsHint: "Whoever is subscribed to one of them on the channel {{channel}} gets the project once.",
    noTopic: "There is no topic of this category yet.",
    exceptTopics: "Without the subscribers of",
    exceptProjects: "Without the recipients of",
    projects_one: "{{number}} project",
    projects_other: "{{number}} projects",
    readLater: "Who is subscribed is read when the project starts; the plan says how many that are now.",
    wasRead: "The subscribers were read when the project was first started, so they stay as they are.",
  },
};
