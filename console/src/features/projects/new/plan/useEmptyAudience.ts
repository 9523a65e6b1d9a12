import { useLoaded } from "../../../../frame/api/useLoaded";
import { useSeesContacts } from "../../../../frame/contacts/usePeople";
import { useFormat } from "../../../../frame/values/format";
import { useTranslation } from "../../../../frame/i18n";
import type { Draft } from "../draft";
import { AudienceReasons } from "../recipients/documents";

/** Returns why nobody gets a project of topics and segments, as a sentence; "" if that is not asked, or not known. */
export function useEmptyAudience({ audience, channel }: Draft, isEmpty: boolean): string {
  const { t } = useTranslation();
  const format = useFormat();
  const sees = useSeesContacts();
  const topics = audience?.topicUuids ?? [];
  const follows = Boolean(audience?.follows);
  const topicId = { in: [...topics] };
  const { data } = useLoaded(
    AudienceReasons,
    {
      active: { topicId, state: { eq: "active" } },
      pending: { topicId, state: { eq: "pending" } },
      reached: { topicId, state: { eq: "active" }, channel: { eq: channel } },
    },
    !isEmpty || !sees || topics.length === 0 || follows,
  );
  if (!isEmpty || !audience) return "";
  const name = t(`channels.${channel}`);
  if (follows) return t("following.nobodyYet", { channel: name });
  if (topics.length === 0) return t("audience.because.emptySegments", { channel: name });
  if (!data) return "";
  const [active, pending, reached] = [data.active, data.pending, data.reached].map(
    (rows) => rows?.totalCount ?? 0,
  ) as [number, number, number];
  const counted = (count: number) => ({ count, number: format.number(count), channel: name });
  if (active === 0 && pending === 0) return t("audience.because.noSubscriber", { count: topics.length });
  if (active === 0) return t("audience.because.unconfirmed", counted(pending));
  if (reached === 0) return t("audience.because.otherChannel", counted(active));
  return t("audience.because.leftOut", counted(reached));
}
