import { Alert, Anchor, Code, Group, Stack, Text } from "@mantine/core";
import { useTranslation } from "../../frame/i18n";
import { CopyButton } from "../../frame/ui/CopyButton";
import { Time } from "../../frame/ui/Time";
import classes from "./users.module.css";

/** Shows the token of an invitation. It is nowhere else, and never in an address. */
export function Token({ token, expiresAt, email }: { token: string; expiresAt: string; email: string }) {
  const { t } = useTranslation();
  const address = `${window.location.origin}/console/invitation`;
  return (
    <Stack gap="sm">
      <Alert color="yellow">{t("users.tokenOnce")}</Alert>
      <Text size="sm">{t("users.tokenText", { email })}</Text>
      <Text size="sm">
        {t("users.tokenPage")} <Anchor href={address}>{address}</Anchor>
      </Text>
      <Code className={classes.token} aria-label={t("users.token")} role="group">
        {token}
      </Code>
      <Group justify="space-between">
        <Text size="xs" c="dimmed">
          {t("users.tokenUntil")} <Time value={expiresAt} full />
        </Text>
        <CopyButton named text={token} label={t("users.tokenCopy")} />
      </Group>
    </Stack>
  );
}
