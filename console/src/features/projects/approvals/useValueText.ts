import { useFormat } from "../../../frame/values/format";
import { useTranslation } from "../../../frame/i18n";
import { useWindowText } from "../useWindowText";
import type { SendingWindow } from "../new/schedule/window";
import { parse, type Speed } from "./plan";

/** Writes the value of a field of a plan in words. `currency` is that of the plan. */
export function useValueText(): (field: string, value: string | null, currency: string | null) => string {
  const { t, textOr } = useTranslation();
  const format = useFormat();
  const windowText = useWindowText();
  const speedText = useSpeedText();
  const number = (value: unknown) => format.number(Number(value));
  return (field, value, currency) => {
    if (field === "startAt") return value ? format.fullTime(value) : t("approvals.atStart");
    if (field === "window" && value === null) return t("making.anyHour");
    if (value === null) return t("approvals.none");
    const parsed = parse(value);
    switch (field) {
      case "channel":
        return textOr(`channels.${value}`, value);
      case "category":
        return textOr(`message.categories.${value}`, value);
      case "onMissingVariable":
        return t(value === "skip" ? "making.missingSkip" : "making.missingEmpty");
      case "stopOnReply":
      case "trackClicks":
        return t(parsed === true ? "approvals.yes" : "approvals.no");
      case "startWithinSeconds":
        return format.duration(Number(value));
      case "window":
        return windowText(parsed as SendingWindow);
      case "speed":
        return speedText(parsed as Speed);
      case "retry": {
        const retry = parsed as { maxAttempts?: number | null };
        return t("project.attempts", { count: retry.maxAttempts ?? 3 });
      }
      case "attachments":
        return (parsed as { name: string }[]).map(({ name }) => name).join(", ") || t("approvals.none");
      case "sourceAccounts":
        return t("approvals.accounts", { count: (parsed as string[]).length });
      case "audience":
        return audienceText(parsed as Audience);
      case "recipients":
      case "atMostRecipients":
        return number(value);
      case "atMost":
      case "spent":
        return currency ? format.money(Number(value), currency) : number(value);
      default:
        return value;
    }
  };

  function audienceText(audience: Audience): string {
    if (audience.definition?.follows) return t("approvals.byFollowing");
    if (audience.recipients === undefined) return t("approvals.byTopics");
    return t("approvals.people", { count: audience.recipients, number: format.number(audience.recipients) });
  }
}

/** Who gets it: a list, the people of topics and segments, or those whom another project does not reach. */
interface Audience {
  recipients?: number;
  definition?: { follows?: object | null };
}

export function useSpeedText(): (speed: Speed | null) => string {
  const { t } = useTranslation();
  const format = useFormat();
  return (speed) => {
    const parts = [
      speed?.perMinute ? t("project.perMinute", { number: format.number(speed.perMinute) }) : "",
      speed?.perAccountPerMinute
        ? t("project.perSender", { number: format.number(speed.perAccountPerMinute) })
        : "",
    ];
    return parts.filter(Boolean).join(", ") || t("making.noLimit");
  };
}
