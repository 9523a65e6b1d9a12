import { Button, Group, List, Modal, Stack, Text, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useState } from "react";
import { useClient } from "urql";
import { problemOf, type Problem } from "../../../frame/api/errors";
import { useLoaded } from "../../../frame/api/useLoaded";
import { useFormat } from "../../../frame/format";
import { useTranslation } from "../../../frame/i18n";
import { ProblemNotice } from "../../../frame/ui/ProblemNotice";
import { FindRecipients, RemoveRecipients } from "./documents";

const TYPING_MS = 400;

interface Props {
  project: string;
  onClose: () => void;
  onRemoved: () => void;
}

/** Finds recipients by a part of the address or the name, and removes all that are found. */
export function RemoveDialog({ project, onClose, onRemoved }: Props) {
  const { t } = useTranslation();
  const format = useFormat();
  const client = useClient();
  const [typed, setTyped] = useState("");
  const [text] = useDebouncedValue(typed.trim(), TYPING_MS);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const { data, loading } = useLoaded(FindRecipients, { id: project, text }, !text);
  const found = text && !loading ? data?.recipients : undefined;
  const count = found?.totalCount ?? 0;

  async function remove() {
    setBusy(true);
    setProblem(null);
    let more = true;
    while (more) {
      const { data: answer, error } = await client
        .mutation(RemoveRecipients, { id: project, input: { text } })
        .toPromise();
      more = answer?.removeRecipients?.more ?? false;
      if (error) {
        setProblem(problemOf(error));
        setBusy(false);
        return;
      }
    }
    onRemoved();
    onClose();
  }

  return (
    <Modal
      opened
      onClose={onClose}
      title={t("making.remove")}
      closeButtonProps={{ "aria-label": t("common.close") }}
    >
      <Stack gap="sm">
        <TextInput
          data-autofocus
          label={t("making.removeFind")}
          description={t("making.removeHint")}
          maxLength={100}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        {found && (
          <div role="status">
            <Text size="sm">{t("making.recipients", { count, number: format.number(count) })}</Text>
            <List size="sm">
              {found.nodes.map(({ uuid, address, name }) => (
                <List.Item key={uuid}>{[address, name].filter(Boolean).join(" · ")}</List.Item>
              ))}
            </List>
          </div>
        )}
        {problem && <ProblemNotice problem={problem} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t("common.cancel")}
          </Button>
          <Button color="red" loading={busy} disabled={count === 0 || typed.trim() !== text} onClick={remove}>
            {t("making.removeCount", { count, number: format.number(count) })}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
