import type { Translation } from "../../../frame/i18n/catalogue";
import type en from "./en";

export default {
  deliverability: {
    about: "Что почтовые службы делают с вашими письмами и как часто получатели жалуются на спам.",
    range: "Период",
    ranges: { day: "24 часа", week: "7 дней", month: "30 дней", quarter: "90 дней" },
    provider: "Почтовая служба",
    project: "Рассылка",
    projects: "По рассылкам",
    providers: {
      gmail: "Gmail",
      microsoft: "Outlook и Hotmail",
      yahoo: "Yahoo и AOL",
      apple: "iCloud",
      yandex: "Яндекс",
      mailru: "Mail.ru",
      other: "Другие",
    },
    accepted: "Принято",
    bounced: "Вернулось",
    deferred: "Задержано",
    complaints: "Жалобы на спам",
    level: "Уровень жалоб",
    levels: { ok: "Менее 0,1 %", warning: "От 0,1 %", bad: "От 0,3 %" },
    rescued: "не спам: {{number}}",
    reasons: {
      hard: "нет такого адреса: {{number}}",
      mailboxFull: "ящик переполнен: {{number}}",
      content: "отклонено содержание: {{number}}",
      policy: "отклонён отправитель: {{number}}",
      soft: "временно или неизвестно: {{number}}",
    },
    advice: {
      warning:
        "При доле жалоб от 0,1 % письма чаще попадают в спам: {{providers}}. Пишите реже тем, кто об этом не просил, и сделайте отписку простой.",
      bad: "При доле жалоб от 0,3 % письма могут отклонять: {{providers}}. Остановите рекламные письма в эти службы и выясните, на какие письма жаловались.",
    },
    legend:
      "Доли сравнивают отчёты этого периода с письмами, принятыми за него. Остальные домены определяются по их почтовым серверам; пока домен не проверен, его письма считаются в строке «Другие» и остаются в ней.",
    empty: "За этот период не отправлено ни одного письма.",
    emptyHint: "Письма считаются с той версии, в которой появилась эта страница.",
  },
} satisfies Translation<typeof en>;
