import type { Translation } from "../../../frame/i18n/catalogue";
import type en from "./en";

export default {
  blocks: {
    title: "Блокировки",
    search: "Телефон или адрес",
    reason: "Причина",
    reasons: {
      manual: "Заблокирован вручную",
      optOut: "Ответил стоп-словом",
      hardBounce: "Адреса не существует",
      complaint: "Пожаловался на спам",
      unsubscribed: "Отписался",
    },
    scope: "Что не отправляется",
    scopes: { all: "Все сообщения", promotional: "Только реклама" },
    address: "Телефон или адрес",
    since: "С какого времени",
    add: "Заблокировать",
    addTitle: "Заблокировать телефон или адрес",
    added: "{{address}} заблокирован.",
    remove: "Снять блокировку",
    removeOf: "Снять блокировку {{address}}",
    removeTitle: "Снять блокировку {{address}}?",
    removeText: "Туда снова можно будет отправлять сообщения. Делайте это, только если получатель согласен.",
    removeUnsubscribed:
      "Этот получатель больше не хотел сообщений или недоступен. Снимайте блокировку, только если он снова согласился.",
    removed: "{{address}} больше не заблокирован.",
    empty: "Никто не заблокирован. Кто отпишется или ответит стоп-словом, появится здесь сам.",
    nothingFound: "Таких записей нет.",
    total_one: "{{number}} запись",
    total_few: "{{number}} записи",
    total_many: "{{number}} записей",
    total_other: "{{number}} записи",
    more: "Показать ещё",
  },
} satisfies Translation<typeof en>;
