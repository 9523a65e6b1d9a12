import { Alert, Button, Group, Text } from "@mantine/core";
import { useEffect, useState } from "react";
import { useLoaded } from "../../../../frame/api/useLoaded";
import { FilterOfSegment } from "../../../../frame/contacts/documents";
import { useSeesContacts } from "../../../../frame/contacts/usePeople";
import { useTranslation } from "../../../../frame/i18n";
import type { ProjectChannel, SegmentFilter } from "../../../../gql/graphql";
import type { Draft } from "../draft";
import { audienceFilter } from "../text/people/audienceFilter";
import { AudienceSizes } from "./documents";

interface Props {
  draft: Draft;
  /** the channels that the project may have */
  channels: readonly ProjectChannel[];
  /** whether somebody has chosen the channel */
  chosen: boolean;
  onChannel: (channel: ProjectChannel) => void;
}

/**
 * Finds the channel that the topics and segments have addresses of. While nobody has chosen one, the project gets it; then
 * it is offered.
 */
export function ChannelOfAudience({ draft, channels, chosen, onChannel }: Props) {
  const { t } = useTranslation();
  const { channel } = draft;
  const other = useOtherChannel(draft, channels);
  const [before, setBefore] = useState<ProjectChannel | null>(null);
  const follows = chosen ? null : other;
  useEffect(() => {
    if (!follows) return;
    setBefore(channel);
    onChannel(follows);
  }, [follows, channel, onChannel]);
  if (other && chosen)
    return (
      <Alert color="orange" role="status">
        <Group justify="space-between" gap="xs">
          <Text size="sm" flex={1} miw={220}>
            {t("audience.noneOn", { channel: t(`channels.${channel}`), other: t(`channels.${other}`) })}
          </Text>
          <Button size="compact-sm" onClick={() => onChannel(other)}>
            {t("audience.sendBy", { channel: t(`channels.${other}`) })}
          </Button>
        </Group>
      </Alert>
    );
  if (before === null || before === channel) return null;
  return (
    <Text size="sm" role="status">
      {t("audience.changed", { channel: t(`channels.${before}`), other: t(`channels.${channel}`) })}
    </Text>
  );
}

/** Returns the channel that most of the audience has an address of, if none has one of the project's channel. */
function useOtherChannel({ audience, channel }: Draft, channels: readonly ProjectChannel[]) {
  const sees = useSeesContacts();
  const segments = audience?.segmentUuids ?? [];
  const topics = audience?.topicUuids ?? [];
  const [only] = segments.length === 1 ? segments : [];
  // Contacts of several segments can't be counted at once: those of the topics are, if there are topics.
  const paused = !audience || !sees || (segments.length > 1 && topics.length === 0);
  const segment = useLoaded(FilterOfSegment, { id: only ?? "" }, paused || only === undefined);
  const filter = only ? ((segment.data?.segment?.filter ?? null) as SegmentFilter | null) : null;
  const input = (on: ProjectChannel) => ({ filter: audienceFilter(audience ?? {}, on, filter) });
  const { data, current } = useLoaded(
    AudienceSizes,
    {
      sms: input("sms"),
      email: input("email"),
      push: input("push"),
      telegram: input("telegram"),
      whatsapp: input("whatsapp"),
    },
    paused || (only !== undefined && !filter),
  );
  if (paused || !data || !current) return null;
  const sizeOf = (on: ProjectChannel) => data[on]?.size ?? 0;
  if (sizeOf(channel) > 0) return null;
  const [best] = [...channels].sort((a, b) => sizeOf(b) - sizeOf(a));
  return best && sizeOf(best) > 0 ? best : null;
}
