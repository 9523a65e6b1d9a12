import { Alert, Button, Group, Text } from "@mantine/core";
import { useState } from "react";
import { useLoaded } from "../../../../frame/api/useLoaded";
import { FilterOfSegment, PeopleOf } from "../../../../frame/contacts/documents";
import { useSeesContacts } from "../../../../frame/contacts/usePeople";
import { useTranslation } from "../../../../frame/i18n";
import { useViewer } from "../../../../frame/session";
import { useFormat } from "../../../../frame/values/format";
import type { SegmentFilter } from "../../../../gql/graphql";
import { audienceFilter } from "../text/people/audienceFilter";
import type { DraftState } from "../useDraft";
import { RecentProjects } from "./documents";
import { startedLately } from "./recent";

/** Warns of people of the audience who got another project within the last day, and offers to leave them out. */
export function RecentOverlap({ state }: { state: DraftState }) {
  const { draft, project } = state;
  const { ownerUuid } = useViewer();
  const sees = useSeesContacts();
  const [now] = useState(() => Date.now());
  const { audience, channel } = draft;
  const paused = !sees || !audience || Boolean(audience.follows);
  const where = { ownerId: { eq: ownerUuid }, channel: { eq: channel } };
  const { data } = useLoaded(RecentProjects, { where }, paused);
  const [only] = audience?.segmentUuids?.length === 1 ? audience.segmentUuids : [];
  const segment = useLoaded(FilterOfSegment, { id: only ?? "" }, paused || only === undefined);
  if (paused || (only !== undefined && !segment.data)) return null;
  const filter = only ? ((segment.data?.segment?.filter ?? null) as SegmentFilter | null) : null;
  const people = audienceFilter(audience, channel, filter);
  return startedLately(data?.sendingProjects?.nodes ?? [], now, [
    project?.uuid ?? "",
    ...(audience.exceptProjectUuids ?? []),
  ]).map(({ uuid, name }) => <Overlap key={uuid} uuid={uuid} name={name} people={people} state={state} />);
}

interface OverlapProps {
  uuid: string;
  name: string;
  people: SegmentFilter;
  state: DraftState;
}

function Overlap({ uuid, name, people, state }: OverlapProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const got = { any: [{ history: { event: "sent" as const, withinDays: 1, projectUuids: [uuid] } }] };
  const { data, current } = useLoaded(PeopleOf, { input: { filter: { all: [...people.all, got] } } });
  const size = (current && data?.segmentPreview?.size) || 0;
  if (size === 0) return null;
  const leaveOut = () =>
    state.set(({ audience }) => ({
      audience: { ...audience, exceptProjectUuids: [...(audience?.exceptProjectUuids ?? []), uuid] },
    }));
  return (
    <Alert color="orange" role="status">
      <Group justify="space-between" gap="xs">
        <Text size="sm" flex={1} miw={220}>
          {t("again.overlap", { count: size, number: format.number(size), name })}
        </Text>
        <Button size="compact-sm" variant="default" onClick={leaveOut}>
          {t("again.leaveOut")}
        </Button>
      </Group>
    </Alert>
  );
}
