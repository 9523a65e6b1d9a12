import { Anchor, Box, Paper, Title } from "@mantine/core";
import { Link } from "react-router";
import { useTranslation } from "../../frame/i18n";
import type { ProjectChannel, TrafficQuery } from "../../gql/graphql";
import classes from "./overview.module.css";
import { StateTable } from "./StateTable";

interface Props {
  channels: NonNullable<TrafficQuery["statisticsByChannel"]>;
  /** the channel that the chart and the numbers above are limited to */
  chosen: ProjectChannel | null;
  addressOf: (channel: ProjectChannel | null) => string;
}

/** The numbers of each channel. A channel's name limits the page to it; pressing it again ends that. */
export function ChannelsCard({ channels, chosen, addressOf }: Props) {
  const { t } = useTranslation();
  if (channels.length === 0 && !chosen) return null;
  return (
    <Paper p="sm">
      <Title order={2} mb="xs">
        {t("overview.byChannel")}
      </Title>
      <Box className={classes.scroll} tabIndex={0} role="region" aria-label={t("overview.byChannel")}>
        <StateTable
          head={t("overview.channel")}
          rows={channels.map((row) => ({
            key: row.channel,
            counts: row,
            label: (
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
            ),
          }))}
        />
      </Box>
      {chosen && (
        <Anchor component={Link} size="sm" to={addressOf(null)} replace mt="xs" display="inline-block">
          {t("overview.allChannels")}
        </Anchor>
      )}
    </Paper>
  );
}
