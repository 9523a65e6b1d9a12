import {
  ActionIcon,
  Button,
  Group,
  Modal,
  Stack,
  Text,
  TextInput,
  Textarea,
  UnstyledButton,
} from "@mantine/core";
import { IconPlus, IconTrash } from "@tabler/icons-react";
import { useCallback, useEffect, useState } from "react";
import { useClient, type CombinedError } from "urql";
import { problemOf, type Problem } from "../../../frame/api/errors";
import { useRequestForm } from "../../../frame/form/useRequestForm";
import { useTranslation } from "../../../frame/i18n";
import { Question } from "../../../frame/ui/dialogs/Question";
import { useFocusBack } from "../../../frame/ui/dialogs/useFocusBack";
import { useLeaving } from "../../../frame/ui/dialogs/useLeaving";
import { ProblemNotice } from "../../../frame/ui/page/ProblemNotice";
import { textWithMarks, withMarks } from "../../../frame/values/marks";
import classes from "../inbox.module.css";
import type { InboxAnswersQuery } from "../../../gql/graphql";
import type { Answer } from "./answers";
import { InboxAnswers, InboxChangeAnswer, InboxDeleteAnswer, InboxNewAnswer } from "./documents";

const PAGE = 100;

/** All canned answers: a list, and the one that is being written. */
export function AnswersDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const client = useClient();
  useFocusBack();
  const [answers, setAnswers] = useState<Answer[] | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [open, setOpen] = useState<Answer | "new" | null>(null);
  const [dirty, setDirty] = useState(false);
  const { leave, question, forget } = useLeaving(() => open !== null && dirty, onClose);
  const [deleting, setDeleting] = useState<Answer | null>(null);

  const load = useCallback(async () => {
    const all: Answer[] = [];
    let after: string | null = null;
    do {
      const { data, error }: { data?: InboxAnswersQuery; error?: CombinedError } = await client
        .query(InboxAnswers, { first: PAGE, after, where: null }, { requestPolicy: "network-only" })
        .toPromise();
      const page: InboxAnswersQuery["cannedAnswers"] = data?.cannedAnswers ?? null;
      if (!page) {
        setProblem(error ? problemOf(error) : null);
        return;
      }
      all.push(...page.nodes);
      after = page.pageInfo.hasNextPage ? page.pageInfo.endCursor : null;
    } while (after !== null);
    setProblem(null);
    setAnswers(all);
  }, [client]);
  useEffect(() => void load(), [load]);

  function back() {
    setOpen(null);
    forget();
  }
  function changed() {
    back();
    setDeleting(null);
    void load();
  }
  return (
    <>
      <Modal
        opened={!deleting}
        onClose={leave}
        title={t("inbox.answers.title")}
        closeButtonProps={{ "aria-label": t("common.close") }}
      >
        {open ? (
          <>
            <AnswerForm
              answer={open === "new" ? null : open}
              onDirty={setDirty}
              onDone={changed}
              onBack={back}
            />
            {question}
          </>
        ) : (
          <Stack gap="xs">
            <Text size="sm" c="dimmed">
              {t("inbox.answers.hint")}
            </Text>
            {problem && <ProblemNotice problem={problem} onRetry={() => void load()} />}
            <ul className={classes.plain}>
              {answers?.map((answer) => (
                <li key={answer.uuid} className={classes.managed}>
                  <UnstyledButton className={classes.answer} onClick={() => setOpen(answer)}>
                    <b>/{withMarks(answer.shortcut)}</b>
                    <span className={classes.ellipsis} dir="auto">
                      {textWithMarks(answer.text)}
                    </span>
                  </UnstyledButton>
                  <ActionIcon
                    variant="subtle"
                    color="gray"
                    aria-label={t("inbox.answers.delete", { shortcut: answer.shortcut })}
                    onClick={() => setDeleting(answer)}
                  >
                    <IconTrash size={16} />
                  </ActionIcon>
                </li>
              ))}
            </ul>
            {answers?.length === 0 && <Text size="sm">{t("inbox.answers.empty")}</Text>}
            <Group justify="flex-end">
              <Button leftSection={<IconPlus size={14} />} onClick={() => setOpen("new")}>
                {t("inbox.answers.new")}
              </Button>
            </Group>
          </Stack>
        )}
      </Modal>
      {deleting && (
        <Question
          title={t("inbox.answers.delete", { shortcut: deleting.shortcut })}
          question={t("inbox.answers.deleteQuestion")}
          action={t("inbox.answers.deleteIt")}
          mutation={InboxDeleteAnswer}
          variables={{ id: deleting.uuid }}
          onDone={changed}
          onClose={() => setDeleting(null)}
        />
      )}
    </>
  );
}

interface FormProps {
  answer: Answer | null;
  onDirty: (dirty: boolean) => void;
  onDone: () => void;
  onBack: () => void;
}

function AnswerForm({ answer, onDirty, onDone, onBack }: FormProps) {
  const { t } = useTranslation();
  const client = useClient();
  const form = useRequestForm({
    initialValues: { shortcut: answer?.shortcut ?? "", text: answer?.text ?? "" },
  });
  const { shortcut, text } = form.getValues();
  const dirty = form.isDirty();
  useEffect(() => onDirty(dirty), [dirty, onDirty]);

  const save = form.sends(async ({ shortcut, text }) => {
    const input = { shortcut: shortcut.trim().replace(/^\//, ""), text };
    const { error } = answer
      ? await client.mutation(InboxChangeAnswer, { id: answer.uuid, input }).toPromise()
      : await client.mutation(InboxNewAnswer, { input }).toPromise();
    if (error) return error;
    onDone();
  });
  return (
    <form onSubmit={save} noValidate>
      <Stack gap="sm">
        {form.problem && <ProblemNotice problem={form.problem} />}
        <TextInput
          data-autofocus
          label={t("inbox.answers.shortcut")}
          withAsterisk
          description={t("inbox.answers.shortcutHint")}
          leftSection="/"
          maxLength={51}
          {...form.getInputProps("shortcut")}
          error={form.errors.shortcut && t("inbox.answers.badShortcut")}
        />
        <Textarea
          label={t("inbox.answers.text")}
          withAsterisk
          description={t("inbox.answers.textHint")}
          autosize
          minRows={3}
          maxRows={12}
          maxLength={4096}
          dir="auto"
          {...form.getInputProps("text")}
        />
        <Group justify="flex-end">
          {(!shortcut.trim() || !text.trim()) && (
            <Text size="xs" c="dimmed" me="auto">
              {t("common.fillFirst")}
            </Text>
          )}
          <Button variant="default" onClick={onBack}>
            {t("common.cancel")}
          </Button>
          <Button type="submit" loading={form.busy} disabled={!shortcut.trim() || !text.trim()}>
            {t("common.save")}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
