import { Anchor, Stack, Text, Title } from "@mantine/core";
import { useTranslation } from "../../i18n";
import { Link } from "react-router";

export function NotFound({ text }: { text?: string }) {
  const { t } = useTranslation();
  return (
    <Stack gap="xs" py="xl" align="center">
      <Title order={1}>{t("notFound.title")}</Title>
      <Text c="dimmed">{text ?? t("notFound.text")}</Text>
      <Anchor component={Link} to="/">
        {t("notFound.home")}
      </Anchor>
    </Stack>
  );
}
