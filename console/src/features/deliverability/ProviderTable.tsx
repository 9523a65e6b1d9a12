import { Badge, Button, Table, Text } from "@mantine/core";
import { Link } from "react-router";
import { useTranslation } from "../../frame/i18n";
import { EmptyList } from "../../frame/list/EmptyList";
import { useViewer } from "../../frame/session";
import { useFormat } from "../../frame/values/format";
import type { DeliverabilityByProviderQuery } from "../../gql/graphql";
import classes from "./deliverability.module.css";

export type Provider = NonNullable<DeliverabilityByProviderQuery["deliverability"]>["items"][number];

const COLORS = { ok: "teal", warning: "orange", bad: "red" } as const;
const REASONS = ["hard", "mailboxFull", "content", "policy", "soft"] as const;

interface Props {
  items: Provider[];
  loading: boolean;
  problem: boolean;
}

export function ProviderTable({ items, loading, problem }: Props) {
  const { t } = useTranslation();
  const { may } = useViewer();
  return (
    <>
      <Table
        verticalSpacing={6}
        aria-label={t("nav.deliverability")}
        aria-busy={loading}
        className={classes.table}
      >
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t("deliverability.provider")}</Table.Th>
            <Table.Th ta="right">{t("deliverability.accepted")}</Table.Th>
            <Table.Th ta="right">{t("deliverability.bounced")}</Table.Th>
            <Table.Th ta="right" className={classes.wide}>
              {t("deliverability.deferred")}
            </Table.Th>
            <Table.Th ta="right">{t("deliverability.complaints")}</Table.Th>
            <Table.Th className={classes.wide}>{t("deliverability.level")}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {items.map((item) => (
            <Line key={item.providerClass} item={item} />
          ))}
        </Table.Tbody>
      </Table>
      {items.length === 0 && !problem && (
        <EmptyList loading={loading} text={t("deliverability.empty")} hint={t("deliverability.emptyHint")}>
          {may("messages:send") && (
            <Button component={Link} to="/messages?send=1" variant="default">
              {t("palette.send")}
            </Button>
          )}
        </EmptyList>
      )}
    </>
  );
}

function Line({ item }: { item: Provider }) {
  const { t } = useTranslation();
  const format = useFormat();
  const reasons = REASONS.filter((reason) => item[reason] > 0).map((reason) =>
    t(`deliverability.reasons.${reason}`, { number: format.number(item[reason]) }),
  );
  return (
    <Table.Tr>
      <Table.Td fw={500}>{t(`deliverability.providers.${item.providerClass}`)}</Table.Td>
      <Table.Td ta="right">{format.number(item.accepted)}</Table.Td>
      <Table.Td ta="right">
        <Share rate={item.bounceRate} count={item.bounced} />
        {reasons.length > 0 && (
          <Text size="xs" c="dimmed" className={classes.wide}>
            {reasons.join(" · ")}
          </Text>
        )}
      </Table.Td>
      <Table.Td ta="right" className={classes.wide}>
        {format.number(item.deferred)}
      </Table.Td>
      <Table.Td ta="right">
        <Share rate={item.complaintRate} count={item.complaints} />
        {item.rescued > 0 && (
          <Text size="xs" c="dimmed">
            {t("deliverability.rescued", { number: format.number(item.rescued) })}
          </Text>
        )}
        <Level item={item} narrow />
      </Table.Td>
      <Table.Td className={classes.wide}>
        <Level item={item} />
      </Table.Td>
    </Table.Tr>
  );
}

/** A share with its number. Two digits after the comma: the limits of providers are 0.1 % and 0.3 %. */
export function Share({ rate, count }: { rate: number | null; count: number }) {
  const format = useFormat();
  const percent = new Intl.NumberFormat(format.language, { style: "percent", maximumFractionDigits: 2 });
  return (
    <span className={classes.line}>
      {rate !== null && <b>{percent.format(rate)}</b>}{" "}
      <Text span size="xs" c="dimmed">
        {format.number(count)}
      </Text>
    </span>
  );
}

/** The level of complaints: below the number on a phone, which has no column for it. */
export function Level({
  item,
  narrow = false,
}: {
  item: Pick<Provider, "complaintLevel">;
  narrow?: boolean;
}) {
  const { t } = useTranslation();
  const level = item.complaintLevel;
  if (narrow && level === "ok") return null;
  return (
    <Badge
      className={narrow ? classes.narrow : undefined}
      variant="light"
      color={COLORS[level]}
      radius="sm"
      tt="none"
      fw={500}
      miw="max-content"
    >
      {t(`deliverability.levels.${level}`)}
    </Badge>
  );
}
