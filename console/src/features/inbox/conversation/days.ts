import { useFormat } from "../../../frame/values/format";
import { useTranslation } from "../../../frame/i18n";

/** Returns whether two times are on the same day in the viewer's zone. */
export function isSameDay(a: string | number | Date, b: string | number | Date): boolean {
  return new Date(a).toDateString() === new Date(b).toDateString();
}

/** Returns what names a day: "Today", "Yesterday", or its date. */
export function useDayName(): (at: string) => string {
  const { t } = useTranslation();
  const { language } = useFormat();
  return (at) => {
    const now = new Date();
    if (isSameDay(at, now)) return t("inbox.today");
    if (isSameDay(at, now.getTime() - 86_400_000)) return t("inbox.yesterday");
    const year = new Date(at).getFullYear() === now.getFullYear() ? undefined : "numeric";
    return new Date(at).toLocaleDateString(language, {
      weekday: "long",
      day: "numeric",
      month: "long",
      year,
    });
  };
}
