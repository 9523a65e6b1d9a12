import { Anchor, Button, Group, Paper, Stack, Table, Text } from "@mantine/core";
import { IconEye, IconPlus } from "@tabler/icons-react";
import { useState } from "react";
import { Link, useSearchParams } from "react-router";
import { useTranslation } from "../../../frame/i18n";
import { EmptyList } from "../../../frame/list/EmptyList";
import { useChangeParams } from "../../../frame/search/useChangeParams";
import { useViewer } from "../../../frame/session";
import { useTopics, type Topic } from "../../../frame/topics/useTopics";
import { ChangeButton } from "../../../frame/ui/dialogs/ChangeButton";
import { Question } from "../../../frame/ui/dialogs/Question";
import { RemoveButton } from "../../../frame/ui/dialogs/RemoveButton";
import { Notice, useNotice } from "../../../frame/ui/page/Notice";
import { PageHead } from "../../../frame/ui/page/PageHead";
import { ProblemNotice } from "../../../frame/ui/page/ProblemNotice";
import { usePageTitle } from "../../../frame/ui/page/usePageTitle";
import classes from "../contacts.module.css";
import { ContactsTabs } from "../ContactsTabs";
import { DeleteTopic } from "./documents";
import { PreferencesDialog } from "./PreferencesDialog";
import { TopicDialog } from "./TopicDialog";

/** What contacts subscribe to. */
export default function TopicsPage() {
  const { t } = useTranslation();
  const { topics, loaded, problem, reload } = useTopics();
  const [params] = useSearchParams();
  const change = useChangeParams();
  const [removing, setRemoving] = useState<Topic | null>(null);
  const may = useViewer().may("contacts:write");
  const notice = useNotice();
  const editing = topics.find(({ uuid }) => uuid === params.get("edit"));
  usePageTitle(t("topics.title"));
  const add = () => change({ add: "1" });
  const close = () => change({ add: null, edit: null, preview: null }, true);
  return (
    <Stack gap={8}>
      <PageHead title={t("nav.contacts")} about={t("topics.about")}>
        {topics.length > 0 && (
          <Button
            variant="default"
            leftSection={<IconEye size={14} />}
            onClick={() => change({ preview: "1" })}
          >
            {t("topics.preview")}
          </Button>
        )}
        {may && (
          <Button leftSection={<IconPlus size={14} />} onClick={add}>
            {t("topics.add")}
          </Button>
        )}
      </PageHead>
      <ContactsTabs />
      <Notice message={notice.message} onDismiss={notice.dismiss} />
      {problem && <ProblemNotice problem={problem} onRetry={reload} />}
      <Paper>
        <Table verticalSpacing={6} aria-label={t("topics.title")} className={classes.table}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t("topics.name")}</Table.Th>
              <Table.Th>{t("topics.key")}</Table.Th>
              <Table.Th className={classes.wide}>{t("topics.category")}</Table.Th>
              <Table.Th className={classes.wide}>{t("topics.optIn")}</Table.Th>
              <Table.Th className={classes.wide}>{t("topics.publicColumn")}</Table.Th>
              <Table.Th w={80}>
                <span className="visually-hidden">{t("topics.actions")}</span>
              </Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {topics.map((topic) => (
              <Row
                key={topic.uuid}
                topic={topic}
                onEdit={() => change({ edit: topic.uuid })}
                onRemove={() => setRemoving(topic)}
              />
            ))}
          </Table.Tbody>
        </Table>
        {topics.length === 0 && !problem && (
          <EmptyList
            loading={!loaded}
            text={t("topics.empty")}
            hint={may ? t("topics.emptyHint") : undefined}
            add={may && { label: t("topics.add"), onClick: add }}
          />
        )}
      </Paper>
      {may && (params.has("add") || editing) && (
        <TopicDialog
          key={editing?.uuid ?? "new"}
          {...(editing && { topic: editing })}
          onClose={close}
          onSaved={(name) => {
            close();
            notice.show(t("topics.saved", { name }));
            reload();
          }}
        />
      )}
      {params.has("preview") && <PreferencesDialog onClose={close} />}
      {removing && (
        <Question
          title={t("topics.deleteTitle", { name: removing.name })}
          question={t("topics.deleteText")}
          action={t("topics.delete")}
          mutation={DeleteTopic}
          variables={{ id: removing.uuid }}
          onDone={() => {
            notice.show(t("topics.deleted", { name: removing.name }));
            setRemoving(null);
            reload();
          }}
          onClose={() => setRemoving(null)}
        />
      )}
    </Stack>
  );
}

interface RowProps {
  topic: Topic;
  onEdit: () => void;
  onRemove: () => void;
}

function Row({ topic, onEdit, onRemove }: RowProps) {
  const { t } = useTranslation();
  const may = useViewer().may("contacts:write");
  const { uuid, name, key, description, category, optIn } = topic;
  return (
    <Table.Tr>
      <Table.Td className={classes.anywhere}>
        <Anchor component={Link} to={`/contacts/topics/${uuid}`} size="sm" fw={500}>
          {name}
        </Anchor>
        {description && (
          <Text size="xs" c="dimmed">
            {description}
          </Text>
        )}
      </Table.Td>
      <Table.Td className={classes.anywhere}>{key}</Table.Td>
      <Table.Td className={classes.wide}>{t(`topics.categories.${category}`)}</Table.Td>
      <Table.Td className={classes.wide}>{t(`topics.optInsShort.${optIn}`)}</Table.Td>
      <Table.Td className={classes.wide}>{t(topic.public ? "topics.publicYes" : "topics.publicNo")}</Table.Td>
      <Table.Td>
        {may && (
          <Group gap={4} wrap="nowrap">
            <ChangeButton label={t("topics.editOf", { name })} onClick={onEdit} />
            <RemoveButton label={t("topics.deleteOf", { name })} onClick={onRemove} />
          </Group>
        )}
      </Table.Td>
    </Table.Tr>
  );
}
