import { Anchor, Paper, Skeleton, Text } from "@mantine/core";
import { Link } from "react-router";
import { useTranslation } from "../../frame/i18n";
import { useViewer } from "../../frame/session";
import { useFormat } from "../../frame/values/format";
import type { ProjectChannel } from "../../gql/graphql";
import { useSilentChannels } from "../../frame/sandbox/useSandbox";
import { endsOf, KINDS, listOf, numbersOf, type End, type Outcome } from "./outcomes";
import classes from "./overview.module.css";

interface Props {
  /** null before they are known */
  outcomes: readonly Outcome[] | null;
  /** from when messages are counted */
  from: string;
  channel: ProjectChannel | null;
}

const COLORS: Partial<Record<End | "total", string>> = { failed: "red", unknown: "orange" };

/** How the messages of the period have ended. Each number leads to the list that has exactly these messages. */
export function Tiles({ outcomes, from, channel }: Props) {
  const { t } = useTranslation();
  const format = useFormat();
  const { may } = useViewer();
  const opens = { direct: may("messages:read"), project: may("recipients:read") };
  const silent = useSilentChannels();
  const all = numbersOf(outcomes ?? [], silent);
  const shown = endsOf(all);
  return (
    <div className={classes.tiles} data-count={shown.length}>
      {shown.map((end) => {
        const ofKinds = KINDS.map((kind) => ({
          kind,
          count: numbersOf(
            (outcomes ?? []).filter((outcome) => outcome.kind === kind),
            silent,
          )[end],
          link: listOf(kind, end, from, channel, silent),
        })).filter(({ count }) => count > 0);
        const [first, second] = ofKinds;
        const content = (
          <>
            <Text size="xs" c="dimmed">
              {t(`overview.ends.${end}`)}
            </Text>
            <Text component="div" className={classes.value} c={all[end] > 0 ? COLORS[end] : undefined}>
              {outcomes ? format.number(all[end]) : <Skeleton h="1.2em" w={72} />}
            </Text>
            <Text size="xs" c="dimmed" mih={18}>
              {end !== "total" && all.total > 0 && format.percent(all[end] / all.total)}
            </Text>
          </>
        );
        if (!first || second || !opens[first.kind]) {
          return (
            <Paper key={end} p="sm">
              {content}
              <Text size="xs" component="div" className={classes.split}>
                {ofKinds.map(({ kind, count, link }) => {
                  const text = t(`overview.kinds.${kind}`, { number: format.number(count) });
                  return opens[kind] ? (
                    <Anchor key={kind} component={Link} to={link} size="xs">
                      {text}
                    </Anchor>
                  ) : (
                    <span key={kind}>{text}</span>
                  );
                })}
              </Text>
            </Paper>
          );
        }
        return (
          <Paper key={end} component={Link} to={first.link} p="sm" className={classes.tile}>
            {content}
          </Paper>
        );
      })}
    </div>
  );
}
