import { useMemo } from "react";
import { useLoaded } from "../../../frame/api/useLoaded";
import { useViewer } from "../../../frame/session";
import { useTopics } from "../../../frame/topics/useTopics";
import { ContactFields } from "../documents";
import { SegmentProjects } from "./documents";
import type { Types } from "./model";

/** What conditions may name: fields of contacts, topics and projects. */
export function useNames(filter: unknown) {
  const { may, ownerUuid } = useViewer();
  const fields = useLoaded(ContactFields, {});
  const topics = useTopics();
  const ownerId = { eq: ownerUuid };
  const named = projectsIn(filter);
  const projects = useLoaded(
    SegmentProjects,
    { newest: { ownerId }, chosen: { ownerId, id: { in: named } }, any: named.length > 0 },
    !may("projects:read"),
  );
  const nodes = fields.data?.contactFields?.nodes;
  const types: Types = useMemo(() => new Map(nodes?.map(({ key, type }) => [key, type])), [nodes]);
  const rows = [...(projects.data?.newest?.nodes ?? []), ...(projects.data?.chosen?.nodes ?? [])];
  return {
    types,
    fields: (nodes ?? []).map(({ key, label }) => ({ value: key, label: label ?? key })),
    topics: topics.topics.map(({ uuid, name }) => ({ value: uuid, label: name })),
    projects: optionsOf(named, rows),
    loaded: nodes !== undefined && topics.loaded,
    problem: fields.problem ?? topics.problem,
    reload: () => {
      fields.reload();
      topics.reload();
    },
  };
}

export type Names = ReturnType<typeof useNames>;

/** Returns the projects to choose from. Those that are named and that nobody may read have their uuid as a name. */
function optionsOf(named: readonly string[], rows: readonly { uuid: string; name: string }[]) {
  const names = new Map<string, string>(named.map((uuid) => [uuid, uuid]));
  for (const { uuid, name } of rows) names.set(uuid, name);
  return [...names].map(([value, label]) => ({ value, label }));
}

/** Returns the first hundred projects that a stored filter names. */
function projectsIn(filter: unknown): string[] {
  const found = new Set<string>();
  JSON.stringify(filter, (name, value: unknown) => {
    if (name === "projectUuids" && Array.isArray(value)) for (const uuid of value) found.add(String(uuid));
    return value;
  });
  return [...found].slice(0, 100);
}
