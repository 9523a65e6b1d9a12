import { Anchor } from "@mantine/core";
import { Fragment } from "react";
import { Link } from "react-router";
import { useTranslation } from "../../../frame/i18n";
import { useTopics, type Topic } from "../../../frame/topics/useTopics";
import { useFormat } from "../../../frame/values/format";
import type { Project } from "./model";

/** The topics whose subscribers get the project, and who of them does not. */
export function AudienceFacts({ audience }: { audience: NonNullable<Project["audience"]> }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { topics } = useTopics();
  const of = (uuids: readonly string[]) => topics.filter(({ uuid }) => uuids.includes(uuid));
  const projects = audience.exceptProjectUuids.length;
  return (
    <>
      <TopicFact label={t("audience.topics")} topics={of(audience.topicUuids)} />
      <TopicFact label={t("audience.exceptTopics")} topics={of(audience.exceptTopicUuids)} />
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
