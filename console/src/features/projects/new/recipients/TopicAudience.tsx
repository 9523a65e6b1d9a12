import { Alert, Anchor, Loader, SimpleGrid, Stack, Text } from "@mantine/core";
import { Link, useSearchParams } from "react-router";
import { useLoaded } from "../../../../frame/api/useLoaded";
import { useTranslation, type Key } from "../../../../frame/i18n";
import { useSegments } from "../../../../frame/segments/useSegments";
import { useViewer } from "../../../../frame/session";
import { TopicChoice } from "../../../../frame/topics/TopicChoice";
import { useTopics } from "../../../../frame/topics/useTopics";
import { ProblemNotice } from "../../../../frame/ui/page/ProblemNotice";
import type { ProjectAudienceInput } from "../../../../gql/graphql";
import { RecentOverlap } from "../recent/RecentOverlap";
import type { DraftState } from "../useDraft";
import { EarlierProjects } from "./documents";

/** Chooses the topics whose subscribers get the project, the segments that they are in, and who of them does not. */
export function TopicAudience({ state }: { state: DraftState }) {
  const { t } = useTranslation();
  const { draft, project, set } = state;
  const { audience } = draft;
  const topics = useTopics();
  const segments = useSegments();
  const promotional = draft.category === "promotional";
  const fitting = topics.topics.filter(({ category }) => category === draft.category);
  const chosen = audience?.topicUuids ?? [];
  const [params] = useSearchParams();
  // Whoever comes from a segment has chosen it; a promotional project still needs the topic.
  const asked = segments.segments.find(({ uuid }) => uuid === params.get("segment"));
  const inside = audience?.segmentUuids ?? (asked ? [asked.uuid] : []);
  const projects = useEarlierProjects(project?.uuid, draft.channel, audience?.exceptProjectUuids ?? []);
  const channel = t(`channels.${draft.channel}`);

  function choose(part: Pick<ProjectAudienceInput, "topicUuids" | "segmentUuids">) {
    const next = { segmentUuids: [...inside], ...audience, ...part };
    // People have agreed to topics, so a promotional project has one.
    const some = next.topicUuids?.length || (!promotional && next.segmentUuids?.length);
    set({ audience: some ? next : null });
  }
  function leaveOut(part: Partial<ProjectAudienceInput>) {
    if (audience) set({ audience: { ...audience, ...part } });
  }

  const failed = topics.problem ? topics : segments.problem ? segments : null;
  if (failed?.problem) return <ProblemNotice problem={failed.problem} onRetry={failed.reload} />;
  if (!topics.loaded || !segments.loaded) return <Loader size="sm" aria-label={t("common.loading")} />;
  const choices: Choice[] = [
    {
      label: "audience.exceptTopics",
      rows: topics.topics.filter(({ uuid }) => !chosen.includes(uuid)),
      part: "exceptTopicUuids",
    },
    {
      label: "audience.exceptSegments",
      rows: segments.segments.filter(({ uuid }) => !inside.includes(uuid)),
      part: "exceptSegmentUuids",
    },
    { label: "audience.exceptProjects", rows: projects, part: "exceptProjectUuids" },
  ];
  const narrows = segments.segments.length > 0 && (!promotional || audience !== null || asked !== undefined);
  return (
    <Stack gap="sm">
      {asked && audience === null && promotional && (
        <Alert role="note">{t("audience.askedPromotional", { name: asked.name })}</Alert>
      )}
      {fitting.length > 0 ? (
        <TopicChoice
          label={t("audience.topics")}
          description={t("audience.topicsHint", { channel })}
          rows={fitting}
          value={chosen}
          onChange={(topicUuids) => choose({ topicUuids })}
        />
      ) : (
        <Text size="sm">
          {t("audience.noTopic")}{" "}
          <Anchor component={Link} to="/contacts/topics?add=1" size="sm" underline="always">
            {t("topics.add")}
          </Anchor>
        </Text>
      )}
      {narrows && (
        <TopicChoice
          label={t(promotional ? "audience.segments" : "audience.segmentsAlone")}
          description={t(promotional ? "audience.segmentsHint" : "audience.segmentsAloneHint", { channel })}
          rows={segments.segments}
          value={inside}
          onChange={(segmentUuids) => choose({ segmentUuids })}
        />
      )}
      {audience && (
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
          {choices
            .filter(({ rows }) => rows.length > 0)
            .map(({ label, rows, part }) => (
              <TopicChoice
                key={part}
                label={t(label)}
                rows={rows}
                value={audience[part] ?? []}
                onChange={(uuids) => leaveOut({ [part]: uuids })}
              />
            ))}
        </SimpleGrid>
      )}
      <RecentOverlap state={state} />
      <Text size="xs" c="dimmed">
        {t("audience.readLater")}
      </Text>
    </Stack>
  );
}

interface Choice {
  label: Key;
  rows: readonly { uuid: string; name: string }[];
  part: "exceptTopicUuids" | "exceptSegmentUuids" | "exceptProjectUuids";
}

/** Other projects of the channel: the newest, and those that are chosen. */
function useEarlierProjects(
  own: string | undefined,
  channel: DraftState["draft"]["channel"],
  chosen: readonly string[],
) {
  const { ownerUuid } = useViewer();
  const ownerId = { eq: ownerUuid };
  const { data } = useLoaded(EarlierProjects, {
    newest: { ownerId, channel: { eq: channel } },
    chosen: { ownerId, id: { in: [...chosen] } },
    any: chosen.length > 0,
  });
  const rows = [...(data?.newest?.nodes ?? []), ...(data?.chosen?.nodes ?? [])];
  return [...new Map(rows.map((row) => [row.uuid, row])).values()].filter(({ uuid }) => uuid !== own);
}
