import { Anchor, Paper, Text, Title } from "@mantine/core";
import { Fragment, type ReactNode } from "react";
import { Link } from "react-router";
import { useBilling } from "../../../../frame/billing";
import { fileSize } from "../../../../frame/files/fileSize";
import { useTranslation } from "../../../../frame/i18n";
import { Time } from "../../../../frame/ui/Time";
import { withMarks } from "../../../../frame/values/marks";
import { useFormat } from "../../../../frame/values/format";
import projects from "../../projects.module.css";
import { useWindowText } from "../../useWindowText";
import classes from "../approvals.module.css";
import { Hash } from "../Hash";
import { documentOf, type Review } from "../plan";
import { useSpeedText } from "../useValueText";

/** The plan in numbers, and what who has asked has written about it. */
export function Figures({ review }: { review: Review }) {
  const { t } = useTranslation();
  const format = useFormat();
  const isFree = useBilling() === "off";
  const { approval, plan } = review;
  const { content, limits } = documentOf(plan);
  const isDecided = approval.state === "approved" || approval.state === "refused";
  return (
    <Paper p="sm">
      <div className={classes.figures}>
        <Figure label={t("approvals.fields.recipients")} value={format.number(limits.recipients)} />
        {plan.atMostRecipients !== limits.recipients && (
          <Figure
            label={t("approvals.fields.atMostRecipients")}
            value={format.number(plan.atMostRecipients)}
          />
        )}
        {!isFree && (
          <Figure
            label={t("approvals.fields.atMost")}
            value={
              plan.atMost === null || limits.currency === null
                ? t("approvals.noPrice")
                : format.money(plan.atMost, limits.currency)
            }
          />
        )}
        <Figure
          label={t("approvals.fields.startAt")}
          value={content.startAt ? format.time(content.startAt) : t("approvals.atStart")}
        />
      </div>
      <Text size="sm" mt="sm">
        {t(approval.askedByToken ? "approvals.askedByToken" : "approvals.askedBy", {
          person: approval.askedByEmail ?? t("approvals.nobody"),
        })}{" "}
        <Time value={approval.askedAt} />
      </Text>
      {approval.note && !isDecided && (
        <blockquote className={classes.note} dir="auto">
          {approval.note}
        </blockquote>
      )}
    </Paper>
  );
}

function Figure({ label, value }: { label: string; value: string }) {
  return (
    <div>
      <Text size="xs" c="dimmed">
        {label}
      </Text>
      <Text component="div" className={projects.value}>
        {value}
      </Text>
    </div>
  );
}

/** Everything else that the plan fixes. */
export function Facts({ review }: { review: Review }) {
  const { t, textOr, language } = useTranslation();
  const format = useFormat();
  const windowText = useWindowText();
  const speedText = useSpeedText();
  const { approval, plan } = review;
  const { content } = documentOf(plan);
  const { sendingProject } = approval;
  const sender = content.from ?? content.sender;
  const facts: [string, ReactNode][] = [
    [
      t("approvals.project"),
      sendingProject && (
        <Anchor component={Link} to={`/projects/${sendingProject.uuid}`} size="sm">
          {sendingProject.name}
        </Anchor>
      ),
    ],
    [
      t("making.channel"),
      [
        textOr(`channels.${content.channel}`, content.channel),
        textOr(`message.categories.${content.category}`, content.category),
      ].join(" · "),
    ],
    [t("message.sender"), sender && withMarks(sender)],
    [
      t("making.senders"),
      content.sourceAccounts.length > 0 && t("approvals.accounts", { count: content.sourceAccounts.length }),
    ],
    [t("approvals.fields.startAt"), content.startAt && format.fullTime(content.startAt)],
    [t("making.startWithin"), content.startAt && format.duration(content.startWithinSeconds)],
    [t("making.hours"), content.window ? windowText(content.window) : t("making.anyHour")],
    [t("making.speed"), speedText(content.speed)],
    [
      t("making.files"),
      content.attachments.length > 0 &&
        content.attachments
          .map(({ name, bytes }) => `${withMarks(name)} (${fileSize(bytes, language)})`)
          .join(", "),
    ],
    [t("approvals.made"), <Time key="made" value={plan.createdAt} exact />],
    [t("approvals.until"), <Time key="until" value={approval.expiresAt} exact />],
    [t("approvals.hash"), <Hash key="hash" value={plan.hash} />],
  ];
  return (
    <Paper p="sm">
      <Title order={2} mb="xs">
        {t("approvals.facts")}
      </Title>
      <dl className={projects.facts}>
        {facts.map(
          ([label, value]) =>
            value && (
              <Fragment key={label}>
                <dt>{label}</dt>
                <dd>{value}</dd>
              </Fragment>
            ),
        )}
      </dl>
    </Paper>
  );
}
