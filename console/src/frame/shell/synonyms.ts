/** Other words for pages, in all languages of the console: a search for a newsletter finds projects. */
export const SYNONYMS: Readonly<Record<string, readonly string[]>> = {
  "/projects": [
    "campaign, campaigns, newsletter, mailing, bulk, blast, schedule, send later",
    "кампания, рассылка, новости, массовая, расписание, отложить",
  ],
  "/projects/new": ["campaign, newsletter, mailing, broadcast", "кампания, рассылка, новости"],
  "/repeatable": [
    "schedule, scheduled, recurring, automation, series, drip, birthday, cron",
    "расписание, автоматизация, серия, цепочка, регулярно, день рождения",
  ],
  "/templates": [
    "template, design, letter, layout, builder, brand, logo, colour, picture, image",
    "шаблон, дизайн, письмо, макет, бренд, логотип, цвет, картинка, изображение",
  ],
  "/brand": [
    "brand, logo, colour, color, imprint, footer, design",
    "бренд, логотип, цвет, реквизиты, подвал, дизайн",
  ],
  "/series": ["series, drip, automation, sequence, welcome", "серия, цепочка, автоматизация, приветствие"],
  "/files": [
    "picture, image, photo, attachment, logo, upload",
    "картинка, изображение, фото, вложение, логотип",
  ],
  "/contacts": [
    "import, audience, list, people, subscribers, csv, excel",
    "импорт, аудитория, список, люди, подписчики, csv, excel",
  ],
  "/contacts/import": [
    "import, upload, csv, excel, subscribers",
    "импорт, загрузить, csv, excel, подписчики",
  ],
  "/contacts/topics": [
    "topic, newsletter, subscription, subscribers, consent, unsubscribe",
    "тема, новости, подписка, подписчики, согласие, отписка",
  ],
  "/contacts/segments": ["segment, filter, group, audience", "сегмент, фильтр, группа, аудитория"],
  "/contacts/forms": ["form, sign up, signup, subscribe", "форма, подписка, регистрация"],
  "/blocks": ["unsubscribed, bounce, suppression, stop list", "отписка, возврат, стоп-лист, чёрный список"],
  "/domains": ["dkim, spf, dmarc, dns, sender address", "dkim, spf, dmarc, dns, адрес отправителя"],
  "/approvals": ["approve, review, four eyes", "одобрить, согласование, проверка"],
  "/deliverability": ["bounce, spam, complaint, reputation", "возврат, спам, жалоба, репутация"],
};

/** Returns the other words for the page at a path. */
export function synonymsOf(path: string): string[] {
  return [...(SYNONYMS[path] ?? [])];
}
