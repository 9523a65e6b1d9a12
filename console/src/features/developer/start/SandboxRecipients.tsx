import { Alert, Button, Group, Paper, SegmentedControl, Stack, Table, Text, Title } from "@mantine/core";
import { IconSend } from "@tabler/icons-react";
import { Link, useSearchParams } from "react-router";
import { useLoaded } from "../../../frame/api/useLoaded";
import { useTranslation } from "../../../frame/i18n";
import { CopyButton } from "../../../frame/ui/CopyButton";
import { useViewer } from "../../../frame/session";
import classes from "../developer.module.css";
import { ProviderRoutes } from "./documents";
import { EFFECTS, recipientOf, sendTo, THROUGH } from "./recipients";

/** Recipients for which the sandbox channel simulates an outcome. */
export function SandboxRecipients() {
  const { t } = useTranslation();
  const [params, setParams] = useSearchParams();
  const through = THROUGH.find((item) => item === params.get("through")) ?? "email";
  const { data } = useLoaded(ProviderRoutes, {}, !useViewer().may("statistics:read"));
  const isReal = data?.queueStatistics?.routes.some(({ name }) => name.startsWith(through));
  return (
    <Paper p="sm" id="sandbox">
      <Stack gap="xs">
        <Group justify="space-between">
          <Title order={2}>{t("developer.sandbox")}</Title>
          <SegmentedControl
            size="xs"
            aria-label={t("messages.columns.channel")}
            value={through}
            onChange={(value) => setParams({ through: value }, { replace: true, preventScrollReset: true })}
            data={THROUGH.map((value) => ({ value, label: t(`channels.${value}`) }))}
          />
        </Group>
        <Text size="sm" c="dimmed">
          {t("developer.sandboxText")}
        </Text>
        {isReal && <Alert color="orange">{t("developer.sandboxIsReal")}</Alert>}
        <Table verticalSpacing={4} aria-label={t("developer.sandbox")} className={classes.table}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t("developer.recipient")}</Table.Th>
              <Table.Th>{t("developer.whatHappens")}</Table.Th>
              <Table.Th w={120}>
                <span className="visually-hidden">{t("developer.sendOne")}</span>
              </Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {EFFECTS.map((effect) => {
              const recipient = recipientOf(effect, through);
              return (
                <Table.Tr key={effect}>
                  <Table.Td>
                    <Group gap={4} wrap="nowrap">
                      <Text size="sm" ff="monospace" className={classes.anywhere}>
                        {recipient}
                      </Text>
                      <CopyButton small text={recipient} label={t("common.copyOf", { what: recipient })} />
                    </Group>
                  </Table.Td>
                  <Table.Td>{t(`developer.effects.${effect}`)}</Table.Td>
                  <Table.Td>
                    <Button
                      component={Link}
                      to={sendTo(recipient, through)}
                      variant="subtle"
                      size="compact-xs"
                      leftSection={<IconSend size={13} />}
                      aria-label={t("developer.sendTo", { recipient })}
                    >
                      {t("developer.sendOne")}
                    </Button>
                  </Table.Td>
                </Table.Tr>
              );
            })}
          </Table.Tbody>
        </Table>
      </Stack>
    </Paper>
  );
}
