import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import { useState, type ReactNode } from "react";
import { useTranslation } from "../../i18n";
import type { Problem } from "../../api/errors";
import { ProblemNotice } from "../page/ProblemNotice";
import { useFocusBack } from "./useFocusBack";

interface Props {
  opened: boolean;
  title: string;
  /** what will happen, in one or two sentences */
  question: string;
  /** the button's text: the verb of what happens */
  action: string;
  /** the text of the button that changes nothing; default: "Cancel" */
  keep?: string;
  problem: Problem | null;
  /** what is chosen together with the answer */
  children?: ReactNode;
  onConfirm: () => Promise<void>;
  onClose: () => void;
}

/** Asks before something that can't be undone. */
export function Confirm({ opened, title, question, action, keep, problem, children, ...rest }: Props) {
  const { t } = useTranslation();
  const { onConfirm, onClose } = rest;
  const [busy, setBusy] = useState(false);
  useFocusBack(opened);
  async function confirm() {
    setBusy(true);
    try {
      await onConfirm();
    } finally {
      setBusy(false);
    }
  }
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={title}
      closeButtonProps={{ "aria-label": t("common.close") }}
    >
      <Stack>
        <Text size="sm">{question}</Text>
        {children}
        {problem && <ProblemNotice problem={problem} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {keep ?? t("common.cancel")}
          </Button>
          <Button loading={busy} onClick={confirm}>
            {action}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
