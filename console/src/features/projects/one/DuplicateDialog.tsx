import { Checkbox, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { useNavigate } from "react-router";
import { useClient } from "urql";
import { useContentKey } from "../../../frame/api/ContentKey";
import { useRequestForm } from "../../../frame/form/useRequestForm";
import { useFormat } from "../../../frame/values/format";
import { useTranslation } from "../../../frame/i18n";
import { FormDialog } from "../../../frame/ui/dialogs/FormDialog";
import { useSegments } from "../../../frame/segments/useSegments";
import { useTopics } from "../../../frame/topics/useTopics";
import { DuplicateProject } from "../documents";
import { startedLately } from "../new/recent/recent";
import type { Project } from "./model";

const LONGEST = 200;

/** Asks for the name of the copy, and whether it has the same recipients. It is a draft, and opens at its text. */
export function DuplicateDialog({ project, onClose }: { project: Project; onClose: () => void }) {
  const { t } = useTranslation();
  const format = useFormat();
  const client = useClient();
  const keys = useContentKey();
  const navigate = useNavigate();
  const copyOf = t("duplicate.copyOf", { name: project.name }).slice(0, LONGEST);
  const form = useRequestForm({ initialValues: { name: copyOf, recipients: false } });
  const { name, recipients } = form.getValues();
  const [now] = useState(() => Date.now());
  const wasToday = project.startedAt != null && startedLately([project], now, []).length > 0;
  const count = project.recipients?.totalCount ?? 0;

  const copy = form.sends(async ({ name, recipients }) => {
    const variables = { id: project.uuid, input: { name: name.trim(), recipients } };
    const { data, error } = await client
      .mutation(DuplicateProject, variables, keys.of(variables))
      .toPromise();
    const made = data?.duplicateSendingProject;
    if (!made) return error;
    keys.renew();
    await navigate(`/projects/new?project=${made.uuid}&step=${recipients ? "text" : "audience"}`);
  });

  return (
    <FormDialog
      title={t("duplicate.title")}
      form={form}
      onSubmit={copy}
      action={t("duplicate.make")}
      disabled={!name.trim()}
      onClose={onClose}
    >
      <Text size="sm">{t("duplicate.text")}</Text>
      <TextInput
        data-autofocus
        label={t("making.name")}
        withAsterisk
        maxLength={LONGEST}
        {...form.getInputProps("name")}
        error={form.errors.name ?? (name.trim() ? undefined : t("making.needName"))}
      />
      {project.audience ? (
        <Audience audience={project.audience} />
      ) : (
        <Checkbox
          label={t("duplicate.recipients", { count, number: format.number(count) })}
          description={recipients && wasToday && t("duplicate.again", { name: project.name })}
          disabled={count === 0}
          {...form.getInputProps("recipients", { type: "checkbox" })}
        />
      )}
    </FormDialog>
  );
}

/** Whom the copy goes to: its topics and segments are those of the project, and are read when it starts. */
function Audience({ audience }: { audience: NonNullable<Project["audience"]> }) {
  const { t } = useTranslation();
  const { topics } = useTopics();
  const { segments } = useSegments(audience.segmentUuids.length === 0);
  const named = (rows: readonly { uuid: string; name: string }[], uuids: readonly string[]) =>
    rows
      .filter(({ uuid }) => uuids.includes(uuid))
      .map(({ name }) => name)
      .join(", ");
  const of = named(topics, audience.topicUuids);
  const within = named(segments, audience.segmentUuids);
  const names = of && within ? t("duplicate.inSegments", { topics: of, segments: within }) : of || within;
  return (
    <Text size="sm">
      {names ? t("duplicate.audience", { names }) : t("duplicate.sameAudience")} {t("audience.readLater")}
    </Text>
  );
}
