import { Text } from "@mantine/core";
import type { ReactNode } from "react";
import { Link } from "react-router";
import { useFormat } from "../../../frame/values/format";
import { useTranslation } from "../../../frame/i18n";
import { useViewer } from "../../../frame/session";
import classes from "../projects.module.css";
import type { Project } from "./model";

const SHOWN = [
  "queued",
  "sending",
  "sent",
  "delivered",
  "read",
  "failed",
  "skipped",
  "unknown",
  "canceled",
] as const;
const ALWAYS: readonly string[] = ["queued", "sent", "delivered", "failed"];
const COLORS: Record<string, string> = { failed: "red", unknown: "orange" };

/** How many messages are in each state, and their shares of all; each number leads to these messages. */
export function Counts({ project }: { project: Project }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { counts, uuid } = project;
  const messages = `/messages?kind=project&project=${uuid}`;
  if (counts.total === 0) {
    if (project.audience) {
      return (
        <Text size="sm" c="dimmed" mt="xs">
          {t(
            !project.followsUuid
              ? "audience.readLater"
              : project.status === "finished"
                ? "following.nobody"
                : "following.later",
          )}
        </Text>
      );
    }
    if (!project.recipients) return null; // a member may not see how many there are
    return (
      <Text size="sm" c="dimmed" mt="xs">
        {t("project.recipientsOnly", {
          count: project.recipients.totalCount,
          number: format.number(project.recipients.totalCount),
        })}
      </Text>
    );
  }
  // One denominator, so that the shares of the states add up.
  const shared: readonly string[] = ["delivered", "read", "failed"];
  return (
    <div className={classes.tiles} style={{ marginBlockStart: "0.75rem" }}>
      <Tile to={messages}>
        <Text size="xs" c="dimmed">
          {t("project.allMessages")}
        </Text>
        <div className={classes.value}>{format.number(counts.total)}</div>
      </Tile>
      {SHOWN.filter((state) => counts[state] > 0 || ALWAYS.includes(state)).map((state) => (
        <Tile key={state} to={`${messages}&status=${state}`}>
          <Text size="xs" c="dimmed">
            {t(`states.${state}`)}
          </Text>
          <Text component="div" className={classes.value} c={counts[state] > 0 ? COLORS[state] : undefined}>
            {format.number(counts[state])}
          </Text>
          <Text size="xs" c="dimmed">
            {shared.includes(state) && format.percent(counts[state] / counts.total)}
          </Text>
        </Tile>
      ))}
      {counts.replied > 0 && (
        <div className={classes.tile}>
          <Text size="xs" c="dimmed">
            {t("project.replied")}
          </Text>
          <div className={classes.value}>{format.number(counts.replied)}</div>
        </div>
      )}
    </div>
  );
}

/** A number, which leads to its messages if the viewer may see recipients. */
function Tile({ to, children }: { to: string; children: ReactNode }) {
  const { may } = useViewer();
  if (!may("recipients:read")) return <div className={classes.tile}>{children}</div>;
  return (
    <Link to={to} className={classes.tile}>
      {children}
    </Link>
  );
}
