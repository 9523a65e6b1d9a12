import { Alert, Button, Group, Text } from "@mantine/core";
import { Link } from "react-router";
import { useTranslation } from "../../../../frame/i18n";
import { useViewer } from "../../../../frame/session";
import { withMarks } from "../../../../frame/values/marks";

/** Says that a column about consent changes nothing in a project, and leads to contacts, where it counts. */
export function ConsentColumn({ name, file }: { name: string; file: string }) {
  const { t } = useTranslation();
  const { may, uses } = useViewer();
  return (
    <Alert color="orange" role="alert" title={t("audience.consent.title")}>
      <Group justify="space-between" gap="xs">
        <Text size="sm" flex={1} miw={220}>
          <bdi>{withMarks(name)}</bdi>: {t("audience.consent.text")}
        </Text>
        {may("contacts:write") && uses("people") && (
          <Button component={Link} to={`/contacts/import?file=${file}`} size="compact-sm">
            {t("audience.consent.import")}
          </Button>
        )}
      </Group>
    </Alert>
  );
}
