import { useFormat } from "../../../frame/values/format";
import { useTranslation } from "../../../frame/i18n";
import type { HookFragment } from "../../../gql/graphql";
import { healthOf } from "./health";

/** Says in a sentence or two what a webhook does, and what happens next. */
export function useWebhookStory(): (hook: HookFragment) => string {
  const { t, textOr } = useTranslation();
  const format = useFormat();
  return (hook) => {
    const health = healthOf(hook);
    const parts: string[] = [];
    if (health === "off") {
      const reason = hook.disabledReason ?? "";
      parts.push(textOr(`hooks.offBecause.${reason}`, reason || t("hooks.story.off")));
    }
    if (health === "failing") {
      parts.push(
        t("hooks.story.failing", {
          count: hook.failures,
          number: format.number(hook.failures),
          error: hook.lastError ?? String(hook.lastStatus ?? ""),
        }),
      );
      parts.push(
        hook.deliveredAt
          ? t("hooks.story.lastAccepted", { time: format.time(hook.deliveredAt) })
          : t("hooks.story.neverAccepted"),
      );
      if (hook.nextAt) parts.push(t("hooks.story.next", { time: format.time(hook.nextAt) }));
    }
    if (health === "replaying") parts.push(t("hooks.story.replaying"));
    if (health === "untried") parts.push(t("hooks.story.untried"));
    if (health === "working")
      parts.push(t("hooks.story.working", { time: format.time(hook.deliveredAt ?? "") }));
    if (hook.waiting > 0) {
      parts.push(t("hooks.story.waiting", { count: hook.waiting, number: format.number(hook.waiting) }));
    }
    if (hook.dead > 0)
      parts.push(t("hooks.story.dead", { count: hook.dead, number: format.number(hook.dead) }));
    if (hook.missed > 0) {
      parts.push(t("hooks.story.missed", { count: hook.missed, number: format.number(hook.missed) }));
    }
    return parts.join(" ");
  };
}

/** Says what a webhook receives. */
export function useScope(): (hook: HookFragment) => string {
  const { t } = useTranslation();
  return (hook) => {
    if (hook.account) {
      const { source, name, login } = hook.account;
      return t("hooks.ofAccount", { source: t(`channels.${source}`), name: name || login });
    }
    const types = hook.types ?? [];
    return types.length > 0 ? types.join(", ") : t("hooks.everyType");
  };
}
