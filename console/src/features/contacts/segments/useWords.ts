import { useTranslation } from "../../../frame/i18n";
import { isOfDays, isSpan, type Draft, type Group } from "./model";
import type { Names } from "./useNames";

/** Returns a function that says the conditions of a group, of which one is enough. */
export function useWords(names: Pick<Names, "fields" | "topics" | "projects" | "types">) {
  const { t } = useTranslation();
  const labelOf = (rows: readonly { value: string; label: string }[], value: string | null) =>
    rows.find((row) => row.value === value)?.label ?? value ?? "";

  function field({ field: key, operator, value, days }: Draft): string {
    const name = labelOf(names.fields, key);
    if (isOfDays(operator))
      return `${name} ${t(`segments.operators.${operator}`).replace("…", String(days))}`;
    const dayly = names.types.get(key) === "date" && isSpan(operator);
    const compared = dayly ? t(`segments.dayOperators.${operator}`) : t(`segments.operators.${operator}`);
    return operator === "set" || operator === "unset"
      ? `${name} ${compared}`
      : `${name} ${compared} ${value}`;
  }

  function positive(draft: Draft): string {
    const { kind, value, channels, channel, topic, states, event, topics, projects, days } = draft;
    const named = (label: string, ...parts: readonly string[]) =>
      `${label}: ${parts.filter(Boolean).join(", ")}`;
    const on = channel ? t(`contacts.channels.${channel}`) : "";
    const within = days === "" ? "" : t("segments.withinDays", { days });
    switch (kind) {
      case "field":
        return field(draft);
      case "name":
      case "locale":
        return named(t(`segments.kinds.${kind}`), value);
      case "channel":
        return named(t("segments.kinds.channel"), ...channels.map((one) => t(`contacts.channels.${one}`)));
      case "added":
        return named(t("segments.kinds.added"), within);
      case "subscription":
        return named(
          t("segments.kinds.subscription"),
          labelOf(names.topics, topic),
          ...states.map((state) => t(`subscriptions.states.${state}`)),
          on,
          within,
        );
      case "history":
        return named(
          t("segments.kinds.history"),
          t(`segments.events.${event}`),
          ...projects.map((uuid) => labelOf(names.projects, uuid)),
          ...topics.map((uuid) => labelOf(names.topics, uuid)),
          on,
          within,
        );
    }
  }

  return (group: Group): string =>
    group
      .map((draft) => (draft.not ? t("segments.notThat", { condition: positive(draft) }) : positive(draft)))
      .join(` ${t("segments.orWord")} `);
}
