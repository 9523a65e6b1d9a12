export default {
  audience: {
    topics: "Подписчики тем",
    topicsHint: "Кто подписан на одну из них на канале {{channel}}, получит рассылку один раз.",
    noTopic: "Тем этой категории пока нет.",
    exceptTopics: "Без подписчиков тем",
    exceptProjects: "Без получателей рассылок",
    projects_one: "{{number}} рассылка",
    projects_few: "{{number}} рассылки",
    projects_many: "{{number}} рассылок",
    projects_other: "{{number}} рассылки",
    readLater: "Кто подписан, выясняется при запуске; план показывает, сколько их сейчас.",
    wasRead: "Подписчики были прочитаны при первом запуске, поэтому больше не меняются.",
  },
};
