import { Button, Checkbox, Group, Modal, Stack, Text, TextInput } from "@mantine/core";
import { useState, type SubmitEvent } from "react";
import { useNavigate } from "react-router";
import { useClient } from "urql";
import { useContentKey } from "../../../frame/api/ContentKey";
import { problemOf, type Problem } from "../../../frame/api/errors";
import { useFormat } from "../../../frame/values/format";
import { useTranslation } from "../../../frame/i18n";
import { ProblemNotice } from "../../../frame/ui/page/ProblemNotice";
import { DuplicateProject } from "../documents";
import type { Project } from "./model";

const LONGEST = 200;

/** Asks for the name of the copy, and whether it has the same recipients. It is a draft, and opens at its text. */
export function DuplicateDialog({ project, onClose }: { project: Project; onClose: () => void }) {
  const { t } = useTranslation();
  const format = useFormat();
  const client = useClient();
  const keys = useContentKey();
  const navigate = useNavigate();
  const [name, setName] = useState(() => t("duplicate.copyOf", { name: project.name }).slice(0, LONGEST));
  const [recipients, setRecipients] = useState(false);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const count = project.recipients?.totalCount ?? 0;

  async function copy(event: SubmitEvent) {
    event.preventDefault();
    setBusy(true);
    setProblem(null);
    const variables = { id: project.uuid, input: { name: name.trim(), recipients } };
    const { data, error } = await client
      .mutation(DuplicateProject, variables, keys.of(variables))
      .toPromise();
    setBusy(false);
    const made = data?.duplicateSendingProject;
    if (made) {
      keys.renew();
      await navigate(`/projects/new?project=${made.uuid}&step=${recipients ? "text" : "audience"}`);
    } else if (error) setProblem(problemOf(error));
  }

  return (
    <Modal
      opened
      onClose={onClose}
      title={t("duplicate.title")}
      closeButtonProps={{ "aria-label": t("common.close") }}
    >
      <form onSubmit={copy} noValidate>
        <Stack gap="sm">
          <Text size="sm">{t("duplicate.text")}</Text>
          <TextInput
            data-autofocus
            label={t("making.name")}
            value={name}
            maxLength={LONGEST}
            error={problem?.fields.name ?? (name.trim() ? undefined : t("making.needName"))}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <Checkbox
            label={t("duplicate.recipients", { count, number: format.number(count) })}
            checked={recipients}
            disabled={count === 0}
            onChange={(event) => setRecipients(event.currentTarget.checked)}
          />
          {problem && !problem.fields.name && <ProblemNotice problem={problem} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t("common.cancel")}
            </Button>
            <Button type="submit" loading={busy} disabled={!name.trim()}>
              {t("duplicate.make")}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
