import { Anchor, Badge, Paper, Table, Text, Title } from "@mantine/core";
import { Link } from "react-router";
import { useTranslation } from "../../../frame/i18n";
import { Time } from "../../../frame/ui/Time";
import type { Story } from "./story";

const COLORS = { waiting: "blue", delivered: "teal", dead: "red" } as const;

/** The webhooks that receive the message's events, newest event first. Shown only where there are any. */
export function DeliveriesCard({ story }: { story: Story }) {
  const { t } = useTranslation();
  const deliveries = (story.direct ?? story.record)?.webhookDeliveries?.nodes ?? [];
  if (deliveries.length === 0) return null;
  return (
    <Paper p="sm">
      <Title order={2} mb="xs">
        {t("message.webhooks")}
      </Title>
      <Table verticalSpacing={4} horizontalSpacing={0}>
        <Table.Thead className="visually-hidden">
          <Table.Tr>
            <Table.Th>{t("message.webhook")}</Table.Th>
            <Table.Th>{t("messages.columns.state")}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {deliveries.map(({ uuid, type, state, attempts, createdAt, webhook }) => (
            <Table.Tr key={uuid}>
              <Table.Td style={{ overflowWrap: "anywhere" }}>
                {webhook && (
                  <Anchor component={Link} to={`/webhooks/${webhook.uuid}?delivery=${uuid}`} size="sm">
                    {webhook.url}
                  </Anchor>
                )}
                <Text size="xs" c="dimmed">
                  {type} · <Time value={createdAt} />
                </Text>
              </Table.Td>
              <Table.Td ta="right" style={{ verticalAlign: "top" }}>
                <Badge variant="light" color={COLORS[state]} radius="sm" size="sm" tt="none" fw={500}>
                  {t(`message.webhookStates.${state}`)}
                </Badge>
                {attempts > 1 && (
                  <Text size="xs" c="dimmed">
                    {t("message.webhookAttempts", { count: attempts })}
                  </Text>
                )}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Paper>
  );
}
