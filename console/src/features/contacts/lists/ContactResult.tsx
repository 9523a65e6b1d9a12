import { Alert, Button, Group, Loader, Text } from "@mantine/core";
import { IconSend, IconUserPlus } from "@tabler/icons-react";
import { useState } from "react";
import { Link } from "react-router";
import { useTranslation } from "../../../frame/i18n";
import { BadRowList } from "../../../frame/lists/BadRowList";
import { ListFigures, useListRead } from "../../../frame/lists/ReadList";
import { useViewer } from "../../../frame/session";
import { useTopics } from "../../../frame/topics/useTopics";
import { ProblemNotice } from "../../../frame/ui/page/ProblemNotice";
import { useFormat } from "../../../frame/values/format";
import type { ContactMapping } from "../../../gql/graphql";
import { withMarks } from "../../../frame/values/marks";
import { SubscribeList } from "./SubscribeList";

interface Props {
  uuid: string;
  /** back to the columns */
  onAgain?: (() => void) | undefined;
  onOther: () => void;
  /** the topics to which its people were subscribed */
  topicUuids: readonly string[];
  /** the line with the titles, if somebody has chosen it */
  headerRow: number | null;
  /** the people are being subscribed, by another reading of the list */
  onSubscribed: (uuid: string, topicUuids: readonly string[]) => void;
}

const FIGURES = [
  "created",
  "changed",
  "unchanged",
  "subscribed",
  "subscribedBefore",
  "withdrawnBefore",
  "suppressed",
] as const;

/** What has become of the rows of a list, while they are read and afterwards. */
export function ContactResult(props: Props) {
  const { uuid, onAgain, onOther, topicUuids, headerRow, onSubscribed } = props;
  const { t } = useTranslation();
  const format = useFormat();
  const { may } = useViewer();
  const [subscribing, setSubscribing] = useState(false);
  const { topics } = useTopics(topicUuids.length === 0);
  const { list, reading, problem, loading } = useListRead(uuid);
  if (!list) {
    return problem && !loading ? (
      <ProblemNotice problem={problem} onRetry={onOther} />
    ) : (
      <Loader size="sm" aria-label={t("common.loading")} />
    );
  }
  const contacts = list.contacts;
  const mapping = (contacts?.mapping ?? {}) as ContactMapping;
  const done = !reading && list.valid > 0;
  const subscribed = topics.filter((topic) => topicUuids.includes(topic.uuid));
  return (
    <>
      {problem && <ProblemNotice problem={problem} />}
      {list.status === "failed" ? (
        <Alert color="red" role="alert" title={t("lists.listFailed")}>
          {list.statusReason && withMarks(list.statusReason)}
        </Alert>
      ) : (
        <ListFigures list={list} name={t("contactLists.title")} />
      )}
      {contacts && list.valid > 0 && (
        <Text size="sm" role="status">
          {FIGURES.filter((name) => contacts[name] > 0)
            .map((name) => t(`contactLists.${name}`, { number: format.number(contacts[name]) }))
            .join(" · ")}
        </Text>
      )}
      {list.invalid > 0 && !reading && (
        <BadRowList uuid={uuid} count={list.invalid} fileName={list.fileName ?? null} />
      )}
      <Group justify="space-between">
        <Group gap={6}>
          {onAgain && !reading && (
            <Button variant="default" onClick={onAgain}>
              {t("lists.changeColumns")}
            </Button>
          )}
          <Button variant="default" onClick={onOther}>
            {t("lists.otherList")}
          </Button>
        </Group>
        <Group gap={6}>
          <Button variant="default" component={Link} to="/contacts">
            {t("contactLists.show")}
          </Button>
          {may("contacts:write") && done && list.fileUuid && topicUuids.length === 0 && (
            <Button leftSection={<IconUserPlus size={14} />} onClick={() => setSubscribing(true)}>
              {t("contactLists.subscribeThem")}
            </Button>
          )}
          {may("projects:write") && done && subscribed.length > 0 && (
            <Button
              component={Link}
              to={`/projects/new?topic=${topicUuids.join(",")}&category=${subscribed[0]?.category}`}
              leftSection={<IconSend size={14} />}
            >
              {t("contactLists.sendToTopic", { name: subscribed.map(({ name }) => name).join(", ") })}
            </Button>
          )}
        </Group>
      </Group>
      {subscribing && list.fileUuid && (
        <SubscribeList
          list={{ fileUuid: list.fileUuid, region: list.region, mapping, headerRow }}
          onClose={() => setSubscribing(false)}
          onRead={onSubscribed}
        />
      )}
    </>
  );
}
