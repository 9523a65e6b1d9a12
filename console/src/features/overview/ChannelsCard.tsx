import { Anchor, Box, Paper, Table, Title } from "@mantine/core";
import { Link } from "react-router";
import { useFormat } from "../../frame/format";
import { useTranslation } from "../../frame/i18n";
import type { ProjectChannel, TrafficQuery } from "../../gql/graphql";
import classes from "./overview.module.css";

export const CHANNELS: readonly ProjectChannel[] = ["sms", "email", "push", "telegram", "whatsapp"];
const KINDS = ["sent", "delivered", "failed", "unknown"] as const;

interface Props {
  channels: NonNullable<TrafficQuery["statisticsByChannel"]>;
  /** the channel that the chart and the numbers above are limited to */
  chosen: ProjectChannel | null;
  addressOf: (channel: ProjectChannel | null) => string;
}

/** The numbers of each channel. A channel's name limits the page to it; pressing it again ends that. */
export function ChannelsCard({ channels, chosen, addressOf }: Props) {
  const { t } = useTranslation();
  const format = useFormat();
  if (channels.length === 0 && !chosen) return null;
  return (
    <Paper p="sm">
      <Title order={2} mb="xs">
        {t("overview.byChannel")}
      </Title>
      <Box className={classes.scroll} tabIndex={0} role="region" aria-label={t("overview.byChannel")}>
        <Table verticalSpacing={4} horizontalSpacing="xs">
          <Table.Thead>
            <Table.Tr>
              <Table.Th scope="col">{t("overview.channel")}</Table.Th>
              {KINDS.map((kind) => (
                <Table.Th key={kind} scope="col" ta="right">
                  {t(`states.${kind}`)}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {channels.map((row) => (
              <Table.Tr key={row.channel}>
                <Table.Th scope="row" fw={400}>
                  <Anchor
                    component={Link}
                    size="sm"
                    to={addressOf(row.channel === chosen ? null : row.channel)}
                    replace
                    aria-current={row.channel === chosen ? "true" : undefined}
                    fw={row.channel === chosen ? 600 : undefined}
                  >
                    {t(`channels.${row.channel}`)}
                  </Anchor>
                </Table.Th>
                {KINDS.map((kind) => (
                  <Table.Td key={kind} ta="right">
                    {format.number(row[kind])}
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Box>
      {chosen && (
        <Anchor component={Link} size="sm" to={addressOf(null)} replace mt="xs" display="inline-block">
          {t("overview.allChannels")}
        </Anchor>
      )}
    </Paper>
  );
}
