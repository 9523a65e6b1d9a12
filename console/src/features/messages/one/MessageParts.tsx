import { Anchor, Paper, Table, Text, Timeline, Title } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "../../../frame/i18n";
import { Link } from "react-router";
import { useLoaded } from "../../../frame/api/useLoaded";
import { useBilling } from "../../../frame/billing";
import { useFormat } from "../../../frame/values/format";
import { useSilentChannels } from "../../../frame/sandbox/useSandbox";
import { useViewer } from "../../../frame/session";
import { Time } from "../../../frame/ui/Time";
import { ContactOfAddress } from "./letterDocuments";
import classes from "../messages.module.css";
import type { Story } from "./story";

const COLORS: Record<string, string> = {
  failed: "red",
  attempt: "orange",
  unknown: "orange",
  delivered: "teal",
  read: "teal",
};

export function Steps({ story }: { story: Story }) {
  const { t, textOr } = useTranslation();
  const format = useFormat();
  const { steps, open, row } = story;
  const isSilent = useSilentChannels().has(row.channel);
  const isFree = useBilling() === "off";
  return (
    <Timeline active={steps.length} bulletSize={14} lineWidth={2}>
      {steps.map((step, index) => {
        const before = steps[index - 1];
        const took = before ? (Date.parse(step.at) - Date.parse(before.at)) / 1000 : 0;
        return (
          <Timeline.Item
            key={index}
            title={t(`message.steps.${step.name === "accepted" && isFree ? "acceptedFree" : step.name}`)}
            color={COLORS[step.name]}
          >
            <Text size="xs" c="dimmed">
              <Time value={step.at} full />
              {took >= 1 && ` (+${format.duration(took)})`}
            </Text>
            {step.detail && (
              <Text size="sm" className={classes.detail}>
                {step.detail}
              </Text>
            )}
          </Timeline.Item>
        );
      })}
      {open && (
        <Timeline.Item
          title={
            row.sendAt
              ? t("message.waitsUntil", { time: format.fullTime(row.sendAt) })
              : row.state === "sent" && isSilent
                ? t("message.noReport")
                : textOr(`message.open.${row.state}`, "…")
          }
          color="gray"
        >
          <Text size="xs" c="dimmed">
            {t("message.watching")}
          </Text>
        </Timeline.Item>
      )}
    </Timeline>
  );
}

export function Facts({ story }: { story: Story }) {
  const { t, textOr } = useTranslation();
  const format = useFormat();
  const { row, direct, record } = story;
  const account = direct?.account ?? record?.account;
  const owner = direct?.owner;
  const isFree = useBilling() === "off";
  const contact = useContact(row.address);
  const rows: [string, ReactNode][] = [
    [t("messages.direction"), t(row.inbound ? "messages.inbound" : "messages.outbound")],
    [t("messages.columns.channel"), textOr(`channels.${row.channel}`, row.channel)],
  ];
  const add = (label: string, value: ReactNode) => {
    if (value !== null && value !== undefined && value !== "") rows.push([label, value]);
  };
  if (account && !row.inbound && !isFree) add(t("message.price"), format.money(row.price, account.currency));
  if (direct?.sendAt) add(t("message.sendAt"), <Time value={direct.sendAt} full />);
  if (direct?.channel === "sms") add(t("message.segments"), format.number(direct.segments));
  if (direct) add(t("message.category"), t(`message.categories.${direct.category}`));
  if (direct?.trial) add(t("message.trial"), t("common.yes"));
  // A message that was refused at once has failed without a failed attempt before it.
  const attempts = direct?.attempts ?? record?.attempts ?? 0;
  if (attempts > 0) add(t("message.failedAttempts"), format.number(attempts));
  add(t("message.provider"), direct?.provider ?? record?.provider);
  add(t("message.providerId"), direct?.providerMessageId ?? record?.providerMessageId);
  if (direct && account)
    add(
      t("messages.account"),
      <Anchor component={Link} to={`/messages?account=${account.uuid}`} size="sm">
        {account.name}
      </Anchor>,
    );
  if (record?.sendingProject)
    add(
      t("messages.project"),
      <Anchor component={Link} to={`/messages?kind=project&project=${record.sendingProject.uuid}`} size="sm">
        {record.sendingProject.name}
      </Anchor>,
    );
  if (record && typeof record.variant === "number")
    add(t("message.variant"), format.number(record.variant + 1));
  if (record?.sourceAccount)
    add(t("message.sender"), `${record.sourceAccount.source}: ${record.sourceAccount.login}`);
  if (!row.inbound && row.channel === "sms") add(t("message.sender"), direct?.sender ?? record?.sender);
  add(t("message.owner"), owner?.email);
  add(
    t("message.contact"),
    contact && (
      <Anchor component={Link} to={`/contacts/${contact.uuid}`} size="sm">
        {contact.name || row.address}
      </Anchor>
    ),
  );
  add(
    t("message.related"),
    row.address && (
      <Anchor
        component={Link}
        to={`/messages?${record ? "kind=project&" : ""}to=${encodeURIComponent(row.address)}`}
        size="sm"
      >
        {t("message.sameRecipient")}
      </Anchor>
    ),
  );
  add(t("message.changed"), <Time value={row.updatedAt} />);
  return (
    <dl className={classes.facts}>
      {rows.map(([label, value]) => (
        <FactRow key={label} label={label} value={value} />
      ))}
    </dl>
  );
}

/** Returns the contact that has an address, if there is one that the viewer may see. */
function useContact(address: string) {
  const { may, uses } = useViewer();
  const sees = uses("people") && may("contacts:read") && address !== "";
  const { data } = useLoaded(ContactOfAddress, { where: { address: { eq: address } } }, !sees);
  return (sees && data?.contacts?.nodes[0]) || null;
}

function FactRow({ label, value }: { label: string; value: ReactNode }) {
  return (
    <>
      <dt>{label}</dt>
      <dd>{value}</dd>
    </>
  );
}

/** What the message has cost: its charge, and its refund if it failed. */
export function LedgerCard({ message }: { message: NonNullable<Story["direct"]> }) {
  const { t } = useTranslation();
  const format = useFormat();
  const entries = message.ledgerEntries ?? [];
  const currency = message.account?.currency;
  const isFree = useBilling() === "off";
  if (entries.length === 0 || !currency || isFree) return null;
  return (
    <Paper p="sm">
      <Title order={2} mb="xs">
        {t("message.ledger")}
      </Title>
      <Table verticalSpacing={4} horizontalSpacing={0}>
        <Table.Thead className="visually-hidden">
          <Table.Tr>
            <Table.Th>{t("message.entry")}</Table.Th>
            <Table.Th>{t("messages.columns.time")}</Table.Th>
            <Table.Th>{t("message.amount")}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {entries.map((entry) => (
            <Table.Tr key={entry.uuid}>
              <Table.Td>{t(`message.entries.${entry.kind}`)}</Table.Td>
              <Table.Td c="dimmed">
                <Time value={entry.createdAt} />
              </Table.Td>
              <Table.Td ta="right">{format.money(entry.amount, currency)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Paper>
  );
}
