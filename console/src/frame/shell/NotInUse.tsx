import { Button, Group, Stack, Text, Title } from "@mantine/core";
import { Link } from "react-router";
import type { Module } from "../../gql/graphql";
import { useTranslation } from "../i18n";
import { useViewer } from "../session";

/** In place of a page whose module is off. */
export default function NotInUse({ module }: { module: Module }) {
  const { t } = useTranslation();
  const { isAdmin } = useViewer();
  return (
    <Stack gap="xs" py="xl" align="center" ta="center">
      <Title order={1}>{t("notInUse.title")}</Title>
      <Text c="dimmed" maw={480}>
        {t("notInUse.text", { module: t(`modules.${module}`) })}
      </Text>
      <Group gap="xs" justify="center">
        {isAdmin && (
          <Button component={Link} to="/system/purpose">
            {t("notInUse.change")}
          </Button>
        )}
        <Button component={Link} to="/" variant="default">
          {t("notFound.home")}
        </Button>
      </Group>
    </Stack>
  );
}
