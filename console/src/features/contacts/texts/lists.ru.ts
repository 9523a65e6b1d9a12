import type { Translation } from "../../../frame/i18n/catalogue";
import type en from "./lists.en";

export default {
  contactLists: {
    title: "Импорт списка",
    open: "Импортировать список",
    about:
      "Каждая строка становится контактом или изменяет тот, у которого такой же внешний id или адрес. Пустая ячейка ничего не меняет.",
    uses: {
      name: "Имя",
      lastName: "Фамилия",
      externalId: "Внешний id",
      locale: "Язык",
      timezone: "Часовой пояс",
      status: "Статус",
      email: "Эл. почта",
      sms: "Телефон (SMS)",
      push: "Токен push",
      telegram: "Telegram",
      whatsapp: "WhatsApp",
      consentAgreed: "Согласие: да или нет",
      consentAt: "Согласие: когда",
      consentIp: "Согласие: сетевой адрес",
      consentForm: "Согласие: форма",
      field: "Поле",
      none: "Не нужна",
    },
    fieldOf: "Поле столбца {{column}}",
    needIdentity: "Выберите столбец внешних id или адресов: без него никого не найти снова.",
    wrongFields:
      "Имя поля состоит из латинских букв, цифр и _, начинается с буквы и есть только у одного столбца.",
    createFields: "Добавить поля, которых ещё нет",
    createFieldsHint: "Их тип определяют значения первых строк.",
    subscribe: "Подписать их на тему",
    consentNeedsTopic:
      "Столбцы согласия действуют только для темы: выберите ту, на которую эти люди согласились.",
    consentNeedsNewTopic: "Столбцы согласия действуют только для темы, а у вас их нет.",
    subscribeHint: "Реклама идёт подписчикам темы. Кто отозвал подписку на тему, останется без неё.",
    evidenceHint:
      "Где доказательство, что эти люди этого хотят, например выгрузка из магазина. Оно хранится как их согласие.",
    start: "Импортировать список",
    created: "добавлено: {{number}}",
    changed: "изменено: {{number}}",
    unchanged: "без изменений: {{number}}",
    subscribed: "подписано: {{number}}",
    subscribedBefore: "были подписаны раньше: {{number}}",
    withdrawnBefore: "пропущены, отозвали подписку: {{number}}",
    withoutAddress: "пропущены, нет адреса: {{number}}",
    newTopic: "Новая тема",
    topicAdded: "Тема «{{name}}» добавлена.",
    subscribeThem: "Подписать их на тему",
    sendToTopic: "Отправить подписчикам темы «{{name}}»",
    suppressed: "отписались, недоступны или пожаловались: {{number}}",
    show: "Показать контакты",
  },
} satisfies Translation<typeof en>;
