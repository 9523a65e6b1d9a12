import { Paper, Table, Text, Title } from "@mantine/core";
import { useBilling } from "../../../frame/billing";
import { useFailure } from "../../../frame/failure/failure";
import { useTranslation } from "../../../frame/i18n";
import { StateBadge } from "../../../frame/ui/StateBadge";
import { Time } from "../../../frame/ui/Time";
import { useFormat } from "../../../frame/values/format";
import classes from "../messages.module.css";
import type { Story } from "./story";

type Direct = NonNullable<Story["direct"]>;
type ChainStep = NonNullable<Direct["steps"]>[number];

/** The steps of a chain: by which channel each went, to whom, and what became of it. */
export function ChainCard({ message }: { message: Direct }) {
  const { t } = useTranslation();
  const { steps, account } = message;
  if (!steps || steps.length === 0) return null;
  return (
    <Paper p="sm">
      <Title order={2} mb="xs">
        {t("message.chain.title")}
      </Title>
      <Table verticalSpacing={6} horizontalSpacing={0} aria-label={t("message.chain.title")}>
        <Table.Thead className="visually-hidden">
          <Table.Tr>
            <Table.Th>{t("message.chain.step")}</Table.Th>
            <Table.Th>{t("messages.columns.state")}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {steps.map((step, index) => (
            <Step
              key={step.step}
              step={step}
              isLast={index === steps.length - 1}
              currency={account?.currency ?? null}
            />
          ))}
        </Table.Tbody>
      </Table>
    </Paper>
  );
}

function Step({ step, isLast, currency }: { step: ChainStep; isLast: boolean; currency: string | null }) {
  const { t, textOr } = useTranslation();
  const format = useFormat();
  const isFree = useBilling() === "off";
  const failure = useFailure(step.deliveryState === "failed" ? step.failureCode : null);
  const time = step.deliveredAt ?? step.sentAt;
  const goal = t(step.until === "accepted" ? "message.chain.untilAccepted" : "message.chain.untilDelivered");
  return (
    <Table.Tr>
      <Table.Td className={classes.detail}>
        <Text size="sm" fw={500}>
          {step.step}. {textOr(`channels.${step.channel}`, step.channel)}
        </Text>
        <Text size="sm" dir="auto">
          {step.to}
        </Text>
        {!isLast && (
          <Text size="xs" c="dimmed">
            {t("message.chain.next", { goal, time: format.duration(step.within) })}
          </Text>
        )}
        {failure && (
          <Text size="xs" c="dimmed">
            {failure.what}
            {step.failureReason && ` ${step.failureReason}`}
          </Text>
        )}
      </Table.Td>
      <Table.Td ta="right" style={{ verticalAlign: "top" }}>
        {step.deliveryState ? (
          <StateBadge state={step.deliveryState} />
        ) : (
          <Text size="xs" c="dimmed">
            {t("message.chain.notBegun")}
          </Text>
        )}
        {time && (
          <Text size="xs" c="dimmed">
            <Time value={time} />
          </Text>
        )}
        {step.deliveryState && currency && !isFree && (
          <Text size="xs" c="dimmed">
            {format.money(step.price, currency)}
          </Text>
        )}
      </Table.Td>
    </Table.Tr>
  );
}
