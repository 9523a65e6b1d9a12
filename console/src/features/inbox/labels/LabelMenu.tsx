import { Button, Checkbox, Popover, Stack, TextInput } from "@mantine/core";
import { IconPlus, IconTag } from "@tabler/icons-react";
import { useState } from "react";
import { useClient } from "urql";
import { problemOf, type Problem } from "../../../frame/api/errors";
import { useRequestForm } from "../../../frame/form/useRequestForm";
import { useTranslation } from "../../../frame/i18n";
import { ProblemNotice } from "../../../frame/ui/page/ProblemNotice";
import type { LabelColor } from "../../../gql/graphql";
import { MOST_LABELS_OF_CHAT, type Chat, type Label } from "../model";
import { InboxNewLabel, InboxSetLabels } from "./documents";
import { LabelBadge } from "./LabelBadge";
import { COLORS } from "./LabelsDialog";

interface Props {
  chat: Chat;
  labels: readonly Label[];
  onChat: (chat: Chat) => void;
  /** called when there is another label */
  onLabels: () => void;
  onManage: () => void;
}

/** The labels of a chat: chosen in a list, in which a new one can be made. */
export function LabelMenu({ chat, labels, onChat, onLabels, onManage }: Props) {
  const { t } = useTranslation();
  const client = useClient();
  const [opened, setOpened] = useState(false);
  const form = useRequestForm({ initialValues: { name: "" } });
  // The choice of a label is saved at once, and has no field of its own.
  const [problem, setProblem] = useState<Problem | null>(null);
  const chosen = chat.labels?.map(({ uuid }) => uuid) ?? [];
  const shownProblem = problem ?? form.problem;
  const name = form.getValues().name.trim();
  const shown = labels.filter((label) => label.name.toLowerCase().includes(name.toLowerCase()));
  const exists = labels.some((label) => label.name.toLowerCase() === name.toLowerCase());

  async function put(next: string[]) {
    const { data, error } = await client
      .mutation(InboxSetLabels, { id: chat.uuid, labels: next })
      .toPromise();
    setProblem(error ? problemOf(error) : null);
    if (data?.setMessengerChatLabels) onChat(data.setMessengerChatLabels);
  }
  const create = form.sends(async () => {
    if (!name || exists) return;
    const color = COLORS[labels.length % COLORS.length] as LabelColor;
    const { data, error } = await client.mutation(InboxNewLabel, { input: { name, color } }).toPromise();
    if (!data?.createChatLabel) return error;
    form.reset();
    onLabels();
    await put([...chosen, data.createChatLabel.uuid]);
  });
  return (
    <Popover
      opened={opened}
      position="bottom-end"
      width={260}
      trapFocus
      onChange={setOpened}
      onClose={form.reset}
    >
      <Popover.Target>
        <Button
          variant="default"
          leftSection={<IconTag size={14} />}
          fw={500}
          aria-label={t("inbox.labels.of")}
          onClick={() => setOpened(!opened)}
        >
          {t("inbox.labels.title")}
        </Button>
      </Popover.Target>
      <Popover.Dropdown p={8} mah={380} style={{ overflowY: "auto" }} aria-label={t("inbox.labels.of")}>
        <form onSubmit={create} noValidate>
          <Stack gap={8}>
            <TextInput
              data-autofocus
              size="xs"
              dir="auto"
              maxLength={50}
              aria-label={t("inbox.labels.find")}
              placeholder={t("inbox.labels.find")}
              {...form.getInputProps("name")}
            />
            {shownProblem && <ProblemNotice problem={shownProblem} />}
            {shown.map((label) => (
              <Checkbox
                key={label.uuid}
                size="xs"
                label={<LabelBadge label={label} />}
                checked={chosen.includes(label.uuid)}
                disabled={!chosen.includes(label.uuid) && chosen.length >= MOST_LABELS_OF_CHAT}
                onChange={() =>
                  void put(
                    chosen.includes(label.uuid)
                      ? chosen.filter((uuid) => uuid !== label.uuid)
                      : [...chosen, label.uuid],
                  )
                }
              />
            ))}
            {name && !exists && (
              <Button
                variant="light"
                justify="start"
                leftSection={<IconPlus size={14} />}
                type="submit"
                loading={form.busy}
              >
                {t("inbox.labels.create", { name })}
              </Button>
            )}
            <Button
              variant="subtle"
              color="gray"
              justify="start"
              onClick={() => {
                setOpened(false);
                onManage();
              }}
            >
              {t("inbox.labels.manage")}
            </Button>
          </Stack>
        </form>
      </Popover.Dropdown>
    </Popover>
  );
}
