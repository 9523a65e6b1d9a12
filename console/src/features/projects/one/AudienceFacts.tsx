import { Anchor } from "@mantine/core";
import { Fragment } from "react";
import { Link } from "react-router";
import { useTranslation } from "../../../frame/i18n";
import { useSegments } from "../../../frame/segments/useSegments";
import { useTopics, type Topic } from "../../../frame/topics/useTopics";
import { useFormat } from "../../../frame/values/format";
import { FollowedText } from "../FollowedText";
import type { Project } from "./model";

interface Props {
  audience: NonNullable<Project["audience"]>;
  /** the project that it follows; null if there is none, or none any more */
  follows: NonNullable<Project["follows"]> | null;
}

/** The project that it follows, the topics and segments whose people get it, and who of them does not. */
export function AudienceFacts({ audience, follows }: Props) {
  const { t } = useTranslation();
  const format = useFormat();
  const { topics } = useTopics();
  const { segments } = useSegments(audience.segmentUuids.length + audience.exceptSegmentUuids.length === 0);
  // Of a segment that was deleted since, nothing is known.
  const names = (uuids: readonly string[]) =>
    segments
      .filter(({ uuid }) => uuids.includes(uuid))
      .map(({ name }) => name)
      .join(", ");
  const of = (uuids: readonly string[]) => topics.filter(({ uuid }) => uuids.includes(uuid));
  const projects = audience.exceptProjectUuids.length;
  return (
    <>
      {audience.follows && (
        <>
          <dt>{t("following.label")}</dt>
          <dd>
            <FollowedText project={follows} until={audience.follows.until} within={audience.follows.within} />
          </dd>
        </>
      )}
      <TopicFact label={t("audience.topics")} topics={of(audience.topicUuids)} />
      <SegmentFact label={t("audience.segmentsAlone")} names={names(audience.segmentUuids)} />
      <TopicFact label={t("audience.exceptTopics")} topics={of(audience.exceptTopicUuids)} />
      <SegmentFact label={t("audience.exceptSegments")} names={names(audience.exceptSegmentUuids)} />
      {projects > 0 && (
        <>
          <dt>{t("audience.exceptProjects")}</dt>
          <dd>{t("audience.projects", { count: projects, number: format.number(projects) })}</dd>
        </>
      )}
    </>
  );
}

function TopicFact({ label, topics }: { label: string; topics: readonly Topic[] }) {
  if (topics.length === 0) return null;
  return (
    <>
      <dt>{label}</dt>
      <dd>
        {topics.map(({ uuid, name }, index) => (
          <Fragment key={uuid}>
            {index > 0 && ", "}
            <Anchor component={Link} to={`/contacts/topics/${uuid}`} size="sm">
              {name}
            </Anchor>
          </Fragment>
        ))}
      </dd>
    </>
  );
}

function SegmentFact({ label, names }: { label: string; names: string }) {
  if (!names) return null;
  return (
    <>
      <dt>{label}</dt>
      <dd>
        <Anchor component={Link} to="/contacts/segments" size="sm">
          {names}
        </Anchor>
      </dd>
    </>
  );
}
