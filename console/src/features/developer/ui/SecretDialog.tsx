import { Alert, Button, Code, Group, Modal, Stack, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "../../../frame/i18n";
import { useFocusBack } from "../../../frame/ui/useFocusBack";
import classes from "../developer.module.css";
import { CopyButton } from "./CopyButton";

interface Props {
  title: string;
  secret: string;
  /** an example of its use */
  children?: ReactNode;
  onClose: () => void;
}

/** Shows a secret that nobody sees again. A click beside the dialog does not close it. */
export function SecretDialog({ title, secret, children, onClose }: Props) {
  const { t } = useTranslation();
  useFocusBack();
  return (
    <Modal
      opened
      onClose={onClose}
      closeOnClickOutside={false}
      title={title}
      size="xl"
      closeButtonProps={{ "aria-label": t("common.close") }}
    >
      <Stack gap="sm">
        <Alert color="orange" role="status">
          {t("developer.shownOnce")}
        </Alert>
        <Group gap="xs" wrap="nowrap" justify="space-between">
          <Code className={classes.secret} data-secret>
            {secret}
          </Code>
          <CopyButton text={secret} label={t("developer.copySecret")} />
        </Group>
        {children}
        <Group justify="space-between">
          <Text size="xs" c="dimmed">
            {t("developer.keepSafe")}
          </Text>
          <Button data-autofocus onClick={onClose}>
            {t("developer.stored")}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
