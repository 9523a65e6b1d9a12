import { Alert, Code, Group, Stack, Text } from "@mantine/core";
import { useTranslation } from "../../frame/i18n";
import { CopyButton } from "../../frame/ui/CopyButton";
import { Time } from "../../frame/ui/Time";
import classes from "./users.module.css";

/** Shows the link of an invitation. Its token stands behind the `#`, which no server is sent, and is nowhere else. */
export function Token({ token, expiresAt, email }: { token: string; expiresAt: string; email: string }) {
  const { t } = useTranslation();
  const link = `${window.location.origin}/console/invitation#${token}`;
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
