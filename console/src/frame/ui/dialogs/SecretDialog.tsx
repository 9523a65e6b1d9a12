import { Alert, Button, Code, Group, Modal, Stack, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "../../i18n";
import { CopyButton } from "../CopyButton";
import classes from "./secretDialog.module.css";
import { useFocusBack } from "./useFocusBack";

interface Props {
  title: string;
  secret: string;
  /** an example of its use */
  children?: ReactNode;
  onClose: () => void;
}

/** Shows a secret that nobody sees again. Neither a click beside the dialog nor Escape closes it. */
export function SecretDialog({ title, secret, children, onClose }: Props) {
  const { t } = useTranslation();
  useFocusBack();
  return (
    <Modal
      opened
      onClose={onClose}
      closeOnClickOutside={false}
      closeOnEscape={false}
      title={title}
      size="xl"
      closeButtonProps={{ "aria-label": t("common.close") }}
    >
      <Stack gap="sm">
        <Alert color="orange" role="status">
          {t("common.shownOnce")}
        </Alert>
        <Group gap="xs" wrap="nowrap" justify="space-between">
          <Code className={classes.secret} data-secret>
            {secret}
          </Code>
          <CopyButton text={secret} label={t("common.copySecret")} />
        </Group>
        {children}
        <Group justify="space-between">
          <Text size="xs" c="dimmed">
            {t("common.keepSafe")}
          </Text>
          <Button data-autofocus onClick={onClose}>
            {t("common.stored")}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
