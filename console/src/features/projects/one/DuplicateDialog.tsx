import { Checkbox, Text, TextInput } from "@mantine/core";
import { useNavigate } from "react-router";
import { useClient } from "urql";
import { useContentKey } from "../../../frame/api/ContentKey";
import { useRequestForm } from "../../../frame/form/useRequestForm";
import { useFormat } from "../../../frame/values/format";
import { useTranslation } from "../../../frame/i18n";
import { FormDialog } from "../../../frame/ui/dialogs/FormDialog";
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
  const copyOf = t("duplicate.copyOf", { name: project.name }).slice(0, LONGEST);
  const form = useRequestForm({ initialValues: { name: copyOf, recipients: false } });
  const { name } = form.getValues();
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
      <Checkbox
        label={t("duplicate.recipients", { count, number: format.number(count) })}
        disabled={count === 0}
        {...form.getInputProps("recipients", { type: "checkbox" })}
      />
    </FormDialog>
  );
}
