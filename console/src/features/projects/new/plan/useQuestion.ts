import { useBilling } from "../../../../frame/billing";
import { useFormat } from "../../../../frame/values/format";
import { useTranslation } from "../../../../frame/i18n";
import { useSendingChannels } from "../../../../frame/sandbox/useSandbox";
import type { ServerPlan } from "./plan";
import { useAbout } from "./useAbout";

interface Start {
  channel: string;
  plan: Pick<ServerPlan, "exact" | "toSend" | "cost"> | null;
  /** whether the project follows another one */
  follows: boolean;
  /** when it starts, if that is later */
  later: number | null;
}

/** Says what a start leads to: how many messages are sent, from when on, and what they cost. */
export function useQuestion({ channel, plan, follows, later }: Start): string {
  const { t, textOr } = useTranslation();
  const format = useFormat();
  const isFree = useBilling() === "off";
  const about = useAbout(plan?.exact ?? true, false);
  const channels = useSendingChannels();
  const isReal = channels.some((item) => item.channel === channel && !item.sandbox);
  if (!plan) return "";
  const { exact, toSend, cost } = plan;
  const values = {
    count: toSend,
    number: follows ? format.number(toSend) : about(format.number(toSend)),
    channel: textOr(`channels.${channel}`, channel),
    time: later === null ? "" : format.fullTime(later),
  };
  const most = follows && !exact;
  const sent = most
    ? t(later === null ? "following.startQuestion" : "following.scheduleQuestion", values)
    : t(
        later === null
          ? isReal
            ? channel === "email"
              ? "making.startRealEmails"
              : "making.startReal"
            : "making.startQuestion"
          : "making.scheduleQuestion",
        values,
      );
  if (!cost || isFree) return sent;
  const price = format.money(most ? cost.atMost : cost.amount, cost.currency);
  const priced = most ? "following.startCost" : exact ? "making.startCost" : "making.startCostAbout";
  return `${sent} ${t(priced, { price })}`;
}
