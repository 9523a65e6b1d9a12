import { ActionIcon, Anchor, Badge, Button, Group, Paper, Stack, Table } from "@mantine/core";
import { IconCode, IconPlus } from "@tabler/icons-react";
import { useState } from "react";
import { useSearchParams } from "react-router";
import { useLoaded } from "../../../frame/api/useLoaded";
import { useTranslation } from "../../../frame/i18n";
import { EmptyList } from "../../../frame/list/EmptyList";
import { useChangeParams } from "../../../frame/search/useChangeParams";
import { useViewer } from "../../../frame/session";
import { useTopics, type Topic } from "../../../frame/topics/useTopics";
import { CopyButton } from "../../../frame/ui/CopyButton";
import { ChangeButton } from "../../../frame/ui/dialogs/ChangeButton";
import { Question } from "../../../frame/ui/dialogs/Question";
import { RemoveButton } from "../../../frame/ui/dialogs/RemoveButton";
import { Notice, useNotice } from "../../../frame/ui/page/Notice";
import { PageHead } from "../../../frame/ui/page/PageHead";
import { ProblemNotice } from "../../../frame/ui/page/ProblemNotice";
import { usePageTitle } from "../../../frame/ui/page/usePageTitle";
import type { SignupFormRowFragment } from "../../../gql/graphql";
import classes from "../contacts.module.css";
import { ContactsTabs } from "../ContactsTabs";
import { CodeDialog } from "./CodeDialog";
import { DeleteSignupForm, SignupForms } from "./documents";
import { SignupFormDialog } from "./SignupFormDialog";

/** The forms by which people subscribe themselves. */
export default function FormsPage() {
  const { t } = useTranslation();
  const { may: has, ownerUuid } = useViewer();
  const may = has("contacts:write");
  const { topics, loaded } = useTopics();
  const { data, problem, reload } = useLoaded(SignupForms, { where: { ownerId: { eq: ownerUuid } } });
  const [params] = useSearchParams();
  const change = useChangeParams();
  const [removing, setRemoving] = useState<SignupFormRowFragment | null>(null);
  const notice = useNotice();
  const forms = data?.signupForms?.nodes ?? [];
  const of = (name: string) => forms.find(({ uuid }) => uuid === params.get(name));
  const editing = of("edit");
  const shown = of("code");
  usePageTitle(t("signupForms.title"));
  const add = () => change({ add: "1" });
  const close = () => change({ add: null, edit: null, code: null }, true);
  return (
    <Stack gap={8}>
      <PageHead title={t("nav.contacts")} about={t("signupForms.about")}>
        {may && (
          <Button leftSection={<IconPlus size={14} />} onClick={add}>
            {t("signupForms.add")}
          </Button>
        )}
      </PageHead>
      <ContactsTabs />
      <Notice message={notice.message} onDismiss={notice.dismiss} />
      {problem && <ProblemNotice problem={problem} onRetry={reload} />}
      <Paper>
        <Table verticalSpacing={6} aria-label={t("signupForms.title")} className={classes.table}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t("signupForms.name")}</Table.Th>
              <Table.Th className={classes.wide}>{t("topics.title")}</Table.Th>
              <Table.Th className={classes.wide}>{t("signupForms.page")}</Table.Th>
              <Table.Th className={classes.wide}>{t("signupForms.state")}</Table.Th>
              <Table.Th w={116}>
                <span className="visually-hidden">{t("topics.actions")}</span>
              </Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {forms.map((form) => (
              <Row
                key={form.uuid}
                form={form}
                topics={topics}
                onCode={() => change({ code: form.uuid })}
                onEdit={() => change({ edit: form.uuid })}
                onRemove={() => setRemoving(form)}
              />
            ))}
          </Table.Tbody>
        </Table>
        {forms.length === 0 && !problem && (
          <EmptyList
            loading={!data}
            text={t("signupForms.empty")}
            hint={may ? t("signupForms.emptyHint") : undefined}
            add={may && { label: t("signupForms.add"), onClick: add }}
          />
        )}
      </Paper>
      {may && loaded && (params.has("add") || editing) && (
        <SignupFormDialog
          key={editing?.uuid ?? "new"}
          {...(editing && { signupForm: editing })}
          topics={topics}
          onClose={close}
          onSaved={(name) => {
            close();
            notice.show(t("signupForms.saved", { name }));
            reload();
          }}
        />
      )}
      {shown && loaded && <CodeDialog form={shown} onClose={close} />}
      {removing && (
        <Question
          title={t("signupForms.deleteTitle", { name: removing.name })}
          question={t("signupForms.deleteText")}
          action={t("topics.delete")}
          mutation={DeleteSignupForm}
          variables={{ id: removing.uuid }}
          onDone={() => {
            notice.show(t("signupForms.deleted", { name: removing.name }));
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
  form: SignupFormRowFragment;
  topics: readonly Topic[];
  onCode: () => void;
  onEdit: () => void;
  onRemove: () => void;
}

function Row({ form, topics, onCode, onEdit, onRemove }: RowProps) {
  const { t } = useTranslation();
  const may = useViewer().may("contacts:write");
  const { uuid, name, topicUuids, enabled } = form;
  const page = `${window.location.origin}/signup/${uuid}`;
  const names = topics.filter((topic) => topicUuids.includes(topic.uuid)).map((topic) => topic.name);
  return (
    <Table.Tr>
      <Table.Td className={classes.anywhere}>{name}</Table.Td>
      <Table.Td className={`${classes.wide} ${classes.anywhere}`}>{names.join(", ")}</Table.Td>
      <Table.Td className={`${classes.wide} ${classes.anywhere}`}>
        <Group gap={4} wrap="nowrap">
          <Anchor href={page} target="_blank" rel="noreferrer" size="sm">
            {`/signup/${uuid}`}
          </Anchor>
          <CopyButton small text={page} label={t("signupForms.copyPageOf", { name })} />
        </Group>
      </Table.Td>
      <Table.Td className={classes.wide}>
        <Badge variant="light" color={enabled ? "teal" : "gray"} radius="sm" size="sm" tt="none" fw={500}>
          {t(enabled ? "signupForms.on" : "signupForms.off")}
        </Badge>
      </Table.Td>
      <Table.Td>
        <Group gap={4} wrap="nowrap" justify="flex-end">
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={t("signupForms.codeOf", { name })}
            onClick={onCode}
          >
            <IconCode size={16} />
          </ActionIcon>
          {may && (
            <>
              <ChangeButton label={t("topics.editOf", { name })} onClick={onEdit} />
              <RemoveButton label={t("topics.deleteOf", { name })} onClick={onRemove} />
            </>
          )}
        </Group>
      </Table.Td>
    </Table.Tr>
  );
}
