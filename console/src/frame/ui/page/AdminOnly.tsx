import { Anchor, Stack, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";
import { Link } from "react-router";
import { useTranslation } from "../../i18n";
import { useViewer } from "../../session";

/** Shows a page to administrators; others see that the address is for administrators. */
export function AdminOnly({ children }: { children: ReactNode }) {
  const { t } = useTranslation();
  const { isAdmin } = useViewer();
  if (isAdmin) return children;
  return (
    <Stack gap="xs" py="xl" align="center">
      <Title order={1}>{t("adminOnly.title")}</Title>
      <Text c="dimmed">{t("adminOnly.text")}</Text>
      <Anchor component={Link} to="/">
        {t("notFound.home")}
      </Anchor>
    </Stack>
  );
}
