import { ActionIcon, Button, Group, Modal, Select, Stack, Text, TextInput } from "@mantine/core";
import { IconTrash } from "@tabler/icons-react";
import { useState } from "react";
import { useClient } from "urql";
import { problemOf, type Problem } from "../../../frame/api/errors";
import { useRequestForm } from "../../../frame/form/useRequestForm";
import { useTranslation } from "../../../frame/i18n";
import { Question } from "../../../frame/ui/dialogs/Question";
import { useFocusBack } from "../../../frame/ui/dialogs/useFocusBack";
import { ProblemNotice } from "../../../frame/ui/page/ProblemNotice";
import type { LabelColor } from "../../../gql/graphql";
import type { Label } from "../model";
import { InboxChangeLabel, InboxDeleteLabel, InboxNewLabel } from "./documents";

export const COLORS = [
  "blue",
  "red",
  "green",
  "orange",
  "violet",
  "teal",
  "pink",
  "yellow",
  "gray",
] as const satisfies readonly LabelColor[];

interface Props {
  labels: readonly Label[];
  onChanged: () => void;
  onClose: () => void;
}

/** All labels: their names and colors, and a new one. */
export function LabelsDialog({ labels, onChanged, onClose }: Props) {
  const { t } = useTranslation();
  const client = useClient();
  useFocusBack();
  const form = useRequestForm({ initialValues: { name: "" } });
  const [problem, setProblem] = useState<Problem | null>(null);
  const [deleting, setDeleting] = useState<Label | null>(null);

  const create = form.sends(async (values) => {
    const color = COLORS[labels.length % COLORS.length] as LabelColor;
    const input = { name: values.name.trim(), color };
    const { error } = await client.mutation(InboxNewLabel, { input }).toPromise();
    if (error) return error;
    form.reset();
    onChanged();
  });
  async function change(label: Label, input: { name?: string; color?: LabelColor }) {
    const { error } = await client.mutation(InboxChangeLabel, { id: label.uuid, input }).toPromise();
    setProblem(error ? problemOf(error) : null);
    onChanged();
  }
  return (
    <>
      <Modal
        opened={!deleting}
        onClose={onClose}
        title={t("inbox.labels.title")}
        closeButtonProps={{ "aria-label": t("common.close") }}
      >
        <Stack gap="xs">
          <Text size="sm" c="dimmed">
            {t("inbox.labels.hint")}
          </Text>
          {problem && <ProblemNotice problem={problem} />}
          {labels.map((label) => (
            <Group key={`${label.uuid} ${label.name}`} gap={6} wrap="nowrap">
              <TextInput
                size="xs"
                flex={1}
                dir="auto"
                maxLength={50}
                aria-label={t("inbox.labels.nameOf", { name: label.name })}
                defaultValue={label.name}
                onBlur={({ currentTarget: { value } }) => {
                  if (value.trim() && value.trim() !== label.name) void change(label, { name: value.trim() });
                }}
                onKeyDown={(event) => {
                  if (event.key === "Enter") event.currentTarget.blur();
                }}
              />
              <Select
                size="xs"
                w={110}
                allowDeselect={false}
                aria-label={t("inbox.labels.colorOf", { name: label.name })}
                value={label.color}
                data={COLORS.map((value) => ({ value, label: t(`inbox.labels.colors.${value}`) }))}
                onChange={(value) => void change(label, { color: value as LabelColor })}
              />
              <ActionIcon
                variant="subtle"
                color="gray"
                aria-label={t("inbox.labels.delete", { name: label.name })}
                onClick={() => setDeleting(label)}
              >
                <IconTrash size={16} />
              </ActionIcon>
            </Group>
          ))}
          {form.problem && <ProblemNotice problem={form.problem} />}
          <form onSubmit={create}>
            <Group gap={6} wrap="nowrap" align="flex-start">
              <TextInput
                data-autofocus
                size="xs"
                flex={1}
                dir="auto"
                maxLength={50}
                aria-label={t("inbox.labels.new")}
                placeholder={t("inbox.labels.new")}
                {...form.getInputProps("name")}
              />
              <Button
                type="submit"
                loading={form.busy}
                disabled={!form.getValues().name.trim()}
                title={!form.getValues().name.trim() ? t("common.fillForm") : undefined}
              >
                {t("inbox.labels.add")}
              </Button>
            </Group>
          </form>
        </Stack>
      </Modal>
      {deleting && (
        <Question
          title={t("inbox.labels.delete", { name: deleting.name })}
          question={t("inbox.labels.deleteQuestion")}
          action={t("inbox.labels.deleteIt")}
          mutation={InboxDeleteLabel}
          variables={{ id: deleting.uuid }}
          onDone={() => {
            setDeleting(null);
            onChanged();
          }}
          onClose={() => setDeleting(null)}
        />
      )}
    </>
  );
}
