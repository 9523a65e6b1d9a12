import { Button, Group, Stack, Text, Title } from "@mantine/core";
import { Link } from "react-router";
import { actFor } from "../../api/owner";
import { useTranslation } from "../../i18n";
import { nameOf } from "../../rights";
import { useViewer } from "../../session";
import { navigationFor } from "../navigation";

/** In place of a page that a member's role does not open. */
export default function NotForRole() {
  const { t } = useTranslation();
  const viewer = useViewer();
  const { membership } = viewer;
  const [first] = navigationFor(viewer).main;
  if (!membership) return null;
  const role = t(`acting.roles.${membership.role}`);
  return (
    <Stack gap="xs" py="xl" align="center" ta="center">
      <Title order={1}>{t("acting.notForRole")}</Title>
      <Text c="dimmed" maw={480}>
        {t("acting.notForRoleText", { name: nameOf(membership), role })}
      </Text>
      <Group gap="xs" justify="center">
        {first && (
          <Button component={Link} to={first.path}>
            {t("acting.goTo", { page: t(first.title) })}
          </Button>
        )}
        <Button variant="default" onClick={() => actFor(null)}>
          {t("acting.back")}
        </Button>
      </Group>
    </Stack>
  );
}
