import { Anchor, Button, Group, Paper, Text, Title } from "@mantine/core";
import { IconPrinter } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { Link } from "react-router";
import { useBilling } from "../../../../frame/billing";
import { useFormat } from "../../../../frame/values/format";
import { useTranslation } from "../../../../frame/i18n";
import { useViewer } from "../../../../frame/session";
import type { Project } from "../model";
import { figuresOf, type Figure as FigureOfResult } from "./figures";
import classes from "./report.module.css";
import { useLightPrint } from "./useLightPrint";

// What became of a message without being an outcome. Most projects have none of them.
const OTHERS = ["sent", "unknown", "queued", "sending", "skipped", "canceled"] as const;

interface Props {
  project: Project;
  /** what has happened in a sentence; null: it is said elsewhere */
  story: string | null;
}

/**
 * What came of a project in one row of numbers, each of which leads to its messages. All shares are of the same messages:
 * those that were to be sent.
 */
export function Result({ project, story }: Props) {
  const { t } = useTranslation();
  const format = useFormat();
  useLightPrint();
  const { may } = useViewer();
  const { counts, account, uuid } = project;
  const messages = (filter: string) =>
    may("recipients:read") ? `/messages?kind=project&project=${uuid}${filter && `&${filter}`}` : null;
  const cost = useBilling() === "off" ? null : project.cost;
  const meant = counts.total - counts.skipped - counts.canceled;
  const result = project.result ?? null;
  const delivered = counts.delivered + counts.read;
  const share = (count: number) => (meant > 0 ? format.percent(count / meant) : "–");
  const number = (count: number) => format.number(count);
  const moreOf = (name: FigureOfResult["name"], count: number) =>
    name === "accepted" || name === "delivered"
      ? t("report.ofIntended", { number: number(result?.intended ?? meant), share: share(count) })
      : name === "cameBack" && result && (result.refused ?? 0) > 0
        ? t("report.refusedOrBounced", {
            refused: number(result.refused ?? 0),
            bounced: number(result.bounced ?? 0),
          })
        : share(count);
  return (
    <Paper p="sm" className={classes.whole}>
      <Group justify="space-between" mb="xs">
        <Group gap="sm" align="baseline">
          <Title order={2}>{t("report.title")}</Title>
          {story && (
            <Text size="sm" c="dimmed" role="status">
              {story}
            </Text>
          )}
        </Group>
        <Button
          variant="default"
          size="compact-sm"
          className={classes.onScreen}
          leftSection={<IconPrinter size={14} />}
          onClick={() => window.print()}
        >
          {t("report.print")}
        </Button>
      </Group>
      <dl className={classes.figures}>
        {result &&
          figuresOf(result, project.channel).map(({ name, count, filter, bad }) =>
            count === null ? (
              <Figure
                key={name}
                label={t(`report.${name}`)}
                value="–"
                more={t(name === "unsubscribed" ? "report.noLink" : "report.notMeasured")}
              />
            ) : (
              <Figure
                key={name}
                label={t(`report.${name}`)}
                value={number(count)}
                more={
                  count > 0 || name === "accepted" || name === "delivered" ? moreOf(name, count) : undefined
                }
                to={count > 0 ? messages(filter) : null}
                tone={bad ? "bad" : undefined}
              />
            ),
          )}
        {counts.read > 0 && (
          <Figure
            label={t("states.read")}
            value={number(counts.read)}
            more={share(counts.read)}
            to={messages("status=read")}
          />
        )}
        {counts.failed > (result?.cameBack ?? 0) && (
          <Figure
            label={t("states.failed")}
            value={number(counts.failed)}
            more={share(counts.failed)}
            to={messages("status=failed")}
            tone="bad"
          />
        )}
        {OTHERS.filter(
          (state) =>
            counts[state] > 0 && (state !== "sent" || (result !== null && result.delivered !== null)),
        ).map((state) => (
          <Figure
            key={state}
            label={t(`states.${state}`)}
            value={number(counts[state])}
            to={messages(`status=${state}`)}
          />
        ))}
        {cost && (
          <Figure
            label={t("report.cost")}
            value={format.money(cost.cost, cost.currency)}
            more={
              cost.refunded > 0
                ? t("report.refunded", { price: format.money(cost.refunded, cost.currency) })
                : delivered > 0
                  ? t("report.each", { price: format.money(cost.cost / delivered, cost.currency) })
                  : undefined
            }
          />
        )}
      </dl>
      <Text size="xs" c="dimmed" mt="xs">
        {result && !result.reportsDelivery && result.delivered === null && `${t("report.silent")} `}
        {t("report.of", { count: meant, number: number(meant) })}{" "}
        {messages("") && (
          <Anchor
            component={Link}
            to={messages("") ?? ""}
            size="xs"
            underline="always"
            className={classes.onScreen}
          >
            {t("report.all", { count: counts.total, number: number(counts.total) })}
          </Anchor>
        )}{" "}
        {cost && account && (
          <Anchor
            component={Link}
            to={`/accounts/${account.uuid}`}
            size="xs"
            underline="always"
            className={classes.onScreen}
          >
            {t("report.ledger")}
          </Anchor>
        )}
      </Text>
    </Paper>
  );
}

interface FigureProps {
  label: string;
  value: string;
  more?: ReactNode;
  tone?: "bad" | undefined;
  /** the list of its messages */
  to?: string | null;
}

function Figure(props: FigureProps) {
  return (
    <div>
      <dt>{props.label}</dt>
      <dd data-tone={props.tone}>
        {props.to ? (
          <Link to={props.to} className={classes.link}>
            {props.value}
          </Link>
        ) : (
          props.value
        )}
      </dd>
      {props.more && <dd className={classes.more}>{props.more}</dd>}
    </div>
  );
}
