import { Anchor, Loader, SimpleGrid, Stack, Text } from "@mantine/core";
import { Link } from "react-router";
import { useLoaded } from "../../../../frame/api/useLoaded";
import { useTranslation } from "../../../../frame/i18n";
import { useViewer } from "../../../../frame/session";
import { TopicChoice } from "../../../../frame/topics/TopicChoice";
import { useTopics } from "../../../../frame/topics/useTopics";
import { ProblemNotice } from "../../../../frame/ui/page/ProblemNotice";
import type { ProjectAudienceInput } from "../../../../gql/graphql";
import type { DraftState } from "../useDraft";
import { EarlierProjects } from "./documents";

/** Chooses the topics whose subscribers get the project, and who of them does not. */
export function TopicAudience({ state }: { state: DraftState }) {
  const { t } = useTranslation();
  const { draft, project, set } = state;
  const { audience } = draft;
  const { topics, loaded, problem, reload } = useTopics();
  const fitting = topics.filter(({ category }) => category === draft.category);
  const chosen = audience?.topicUuids ?? [];
  const projects = useEarlierProjects(project?.uuid, draft.channel, audience?.exceptProjectUuids ?? []);

  function choose(topicUuids: string[]) {
    set({ audience: topicUuids.length > 0 ? { ...audience, topicUuids } : null });
  }
  function leaveOut(part: Partial<ProjectAudienceInput>) {
    if (audience) set({ audience: { ...audience, ...part } });
  }

  if (problem) return <ProblemNotice problem={problem} onRetry={reload} />;
  if (!loaded) return <Loader size="sm" aria-label={t("common.loading")} />;
  if (fitting.length === 0) {
    return (
      <Text size="sm">
        {t("audience.noTopic")}{" "}
        <Anchor component={Link} to="/contacts/topics?add=1" size="sm">
          {t("topics.add")}
        </Anchor>
      </Text>
    );
  }
  const others = topics.filter(({ uuid }) => !chosen.includes(uuid));
  return (
    <Stack gap="sm">
      <TopicChoice
        label={t("audience.topics")}
        description={t("audience.topicsHint", { channel: t(`channels.${draft.channel}`) })}
        rows={fitting}
        value={chosen}
        onChange={choose}
      />
      {audience && (
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
          {others.length > 0 && (
            <TopicChoice
              label={t("audience.exceptTopics")}
              rows={others}
              value={audience.exceptTopicUuids ?? []}
              onChange={(exceptTopicUuids) => leaveOut({ exceptTopicUuids })}
            />
          )}
          {projects.length > 0 && (
            <TopicChoice
              label={t("audience.exceptProjects")}
              rows={projects}
              value={audience.exceptProjectUuids ?? []}
              onChange={(exceptProjectUuids) => leaveOut({ exceptProjectUuids })}
            />
          )}
        </SimpleGrid>
      )}
      <Text size="xs" c="dimmed">
        {t("audience.readLater")}
      </Text>
    </Stack>
  );
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
