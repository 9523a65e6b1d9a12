import { useTranslation } from "../../../frame/i18n";
import { planOf } from "./schedule";

/** Says when a schedule runs; one that the console does not know is shown as it is written. */
export function useScheduleText(): (schedule: {
  cron?: string | null;
  rrule?: string | null;
  timezone: string;
}) => string {
  const { t, language } = useTranslation();
  const names = new Intl.DateTimeFormat(language, { weekday: "long", timeZone: "UTC" });
  return ({ cron, rrule, timezone }) => {
    const plan = cron ? planOf(cron, timezone) : null;
    if (!plan || plan.frequency === "cron" || plan.frequency === "rrule") return cron ?? rrule ?? "";
    const day = plan.frequency === "month" ? plan.monthday : names.format(Date.UTC(2024, 0, plan.weekday)); // a Monday was 1st
    return t(`repeatable.schedules.${plan.frequency}`, { time: plan.at, day });
  };
}
