import type { Translation } from "../../../frame/i18n/catalogue";
import type en from "./en";

export default {
  statements: {
    title: "Выписки",
    about: "Движение по счёту за каждый месяц (UTC). Выписка готова 3-го числа следующего месяца.",
    none: "Выписок пока нет. Первая появится 3-го числа следующего месяца.",
    notFound: "За этот месяц выписки нет.",
    mail: "Присылать новые выписки владельцу письмом",
    columns: { month: "Месяц", opening: "На начало", closing: "На конец" },
    states: { balanced: "Сходится", open: "Не сходится" },
    made: "номер {{number}}, составлена {{time}}",
    difference: "По записям выходит {{counted}}, а на счёте {{recorded}}.",
    balance: "Баланс",
    late: "Записи прошлых месяцев, пришедшие позже",
    kinds: { credit: "Пополнения", charge: "Списания", refund: "Возвраты", free: "Бесплатно" },
    tables: {
      channel: "По каналам",
      country: "По странам",
      route: "По маршрутам",
      sender: "По отправителям",
      project: "По рассылкам",
    },
    noValue: {
      channel: "сообщения, которые уже удалены",
      country: "без страны",
      route: "без маршрута",
      sender: "отправитель канала",
      project: "отдельные сообщения",
    },
    messages: "Сообщения",
    parts: "Части",
    amount: "Сумма",
    more_one: "Ещё {{number}} строка — в файле CSV.",
    more_few: "Ещё {{number}} строки — в файле CSV.",
    more_many: "Ещё {{number}} строк — в файле CSV.",
    more_other: "Ещё {{number}} строки — в файле CSV.",
    csv: "CSV",
    save: "Подписанный файл",
    print: "Печать",
    verify: "Проверить подписанный файл без этого сервиса:",
  },
} satisfies Translation<typeof en>;
