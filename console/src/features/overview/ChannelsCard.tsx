import { Anchor, Box, Paper, Table, Title } from "@mantine/core";
import { Link } from "react-router";
import { useTranslation } from "../../frame/i18n";
import { useFormat } from "../../frame/values/format";
import type { ProjectChannel } from "../../gql/graphql";
import { useSilentChannels } from "../../frame/sandbox/useSandbox";
import { ENDS, numbersOf, type Outcome } from "./outcomes";
import { CHANNELS } from "./range";
import classes from "./overview.module.css";

interface Props {
  outcomes: readonly Outcome[];
  /** the channel that the page is limited to */
  chosen: ProjectChannel | null;
  addressOf: (channel: ProjectChannel | null) => string;
}

/** The numbers of each channel. A channel's name limits the page to it; pressing it again ends that. */
export function ChannelsCard({ outcomes, chosen, addressOf }: Props) {
  const { t } = useTranslation();
  const format = useFormat();
  const silent = useSilentChannels();
  const ends = ENDS.filter((end) => end !== "accepted" || numbersOf(outcomes, silent).accepted > 0);
  const rows = CHANNELS.map((channel) => ({
    channel,
    numbers: numbersOf(
      outcomes.filter((outcome) => outcome.channel === channel),
      silent,
    ),
  })).filter(({ numbers }) => numbers.total > 0);
  if (rows.length === 0 && !chosen) return null;
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
              {(["total", ...ends] as const).map((end) => (
                <Table.Th key={end} scope="col" ta="right">
                  {t(`overview.ends.${end}`)}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map(({ channel, numbers }) => (
              <Table.Tr key={channel}>
                <Table.Th scope="row" fw={400}>
                  <Anchor
                    component={Link}
                    size="sm"
                    to={addressOf(channel === chosen ? null : channel)}
                    replace
                    aria-current={channel === chosen ? "true" : undefined}
                    fw={channel === chosen ? 600 : undefined}
                  >
                    {t(`channels.${channel}`)}
                  </Anchor>
                </Table.Th>
                {(["total", ...ends] as const).map((end) => (
                  <Table.Td key={end} ta="right">
                    {end === "delivered" && silent.has(channel) && numbers.delivered === 0
                      ? "–"
                      : format.number(numbers[end])}
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
