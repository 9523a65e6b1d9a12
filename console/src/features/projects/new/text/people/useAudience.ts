import { useLoaded } from "../../../../../frame/api/useLoaded";
import { FilterOfSegment, PeopleOf } from "../../../../../frame/contacts/documents";
import { useSeesContacts } from "../../../../../frame/contacts/usePeople";
import type { PersonFragment, SegmentFilter } from "../../../../../gql/graphql";
import type { Draft } from "../../draft";
import { audienceFilter } from "./audienceFilter";

const NONE: readonly PersonFragment[] = [];

/** Some contacts of the topics and segments that a project goes to; nobody if it has recipients of its own, or follows. */
export function useAudience({ audience, channel }: Draft) {
  const sees = useSeesContacts();
  const paused = !audience || Boolean(audience.follows) || !sees;
  const segments = audience?.segmentUuids ?? [];
  const [only] = segments.length === 1 ? segments : [];
  const segment = useLoaded(FilterOfSegment, { id: only ?? "" }, paused || only === undefined);
  const filter = only ? ((segment.data?.segment?.filter ?? null) as SegmentFilter | null) : null;
  const input = { filter: audienceFilter(audience ?? {}, channel, filter) };
  // Contacts of several segments can't be asked for at once: those of their topics, or all, are shown then.
  const { data, current, loading } = useLoaded(
    PeopleOf,
    { input },
    paused || (only !== undefined && !filter),
  );
  return { people: (current && data?.segmentPreview?.sample) || NONE, loading: !paused && loading };
}
