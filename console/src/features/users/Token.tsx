import { Alert, Button, Code, Group, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "../../frame/i18n";
import { CopyButton } from "../../frame/ui/CopyButton";
import { Time } from "../../frame/ui/Time";
import classes from "./users.module.css";

interface Props {
  token: string;
  expiresAt: string;
  mailed: boolean;
  email: string;
}

/**
 * Says that an invitation is mailed, or shows its link. The token stands behind the `#`, which no server is sent; a link
 * that is mailed is shown if somebody asks for it.
 */
export function Token({ token, expiresAt, mailed, email }: Props) {
  const { t } = useTranslation();
  const [shown, setShown] = useState(!mailed);
  const link = `${window.location.origin}/console/invitation#${token}`;
  if (!shown) {
    return (
      <Stack gap="sm" align="flex-start">
        <Text size="sm" role="status">
          {t("users.mailed", { email })}
        </Text>
        <Button variant="subtle" size="compact-sm" onClick={() => setShown(true)}>
          {t("users.showLink")}
        </Button>
      </Stack>
    );
  }
  return (
    <Stack gap="sm">
      <Alert color="yellow">{t("users.tokenOnce")}</Alert>
      <Text size="sm">{t("users.tokenText", { email })}</Text>
      <Code className={classes.token} aria-label={t("users.token")} role="group">
        {link}
      </Code>
      <Group justify="space-between">
        <Text size="xs" c="dimmed">
          {t("users.tokenUntil")} <Time value={expiresAt} full />
        </Text>
        <CopyButton named text={link} label={t("users.tokenCopy")} />
      </Group>
    </Stack>
  );
}
