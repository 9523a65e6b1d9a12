import { Anchor, Group, Stack, Text } from "@mantine/core";
import { Link } from "react-router";
import { useSandbox } from "../../../../frame/sandbox/useSandbox";
import { useLoaded } from "../../../../frame/api/useLoaded";
import { useTranslation } from "../../../../frame/i18n";
import { ProblemNotice } from "../../../../frame/ui/page/ProblemNotice";
import { StateBadge } from "../../../../frame/ui/StateBadge";
import { Time } from "../../../../frame/ui/Time";
import { useVisibleInterval } from "../../../../frame/ui/useInterval";
import type { ProjectChannel } from "../../../../gql/graphql";
import { EarlierTrials as Trials } from "../documents";
import classes from "../new.module.css";

const POLL_MS = 3_000;

/** The last tests of a channel, and what became of each. Nothing is shown before there is one. */
export function EarlierTrials({ channel }: { channel: ProjectChannel }) {
  const { t } = useTranslation();
  const { data, problem, reload } = useLoaded(Trials, { channel });
  useVisibleInterval(reload, POLL_MS);
  const sandbox = useSandbox(channel);
  if (problem) return <ProblemNotice problem={problem} onRetry={reload} />;
  const rows = data?.trialMessages?.nodes ?? [];
  if (rows.length === 0) return null;
  // Those of messengers are in no list of messages.
  const hasPages = channel !== "telegram" && channel !== "whatsapp";
  return (
    <Stack gap={6} component="section" aria-label={t("making.trials")}>
      <Text size="sm" fw={500}>
        {t("making.trials")}
      </Text>
      {rows.map(({ uuid, to, deliveryState, failureReason, createdAt }) => (
        <div key={uuid}>
          <Group gap="xs" justify="space-between" wrap="nowrap">
            <Text size="sm" className={classes.anywhere}>
              {hasPages ? (
                <Anchor component={Link} to={`/messages/${uuid}`} size="sm">
                  {to}
                </Anchor>
              ) : (
                to
              )}{" "}
              <Text span size="xs" c="dimmed">
                <Time value={createdAt} />
              </Text>
            </Text>
            <Group gap={6} wrap="nowrap">
              {sandbox && (
                <Text size="xs" c="dimmed">
                  {t("sandbox.simulated")}
                </Text>
              )}
              <StateBadge state={deliveryState} />
            </Group>
          </Group>
          {failureReason && (
            <Text size="xs" c="dimmed" className={classes.anywhere}>
              {failureReason}
            </Text>
          )}
        </div>
      ))}
    </Stack>
  );
}
