import { Button, Group, Text, Title } from "@mantine/core";
import { IconX } from "@tabler/icons-react";
import { useMemo } from "react";
import { Link } from "react-router";
import { useFormat } from "../../frame/values/format";
import { useSearch } from "../../frame/search/useSearch";
import { useTranslation } from "../../frame/i18n";
import { usePagedQuery } from "../../frame/list/PagedList";
import { Cell, innerLink, VirtualTable } from "../../frame/list/VirtualTable";
import { useViewer } from "../../frame/session";
import { Time } from "../../frame/ui/Time";
import type { LedgerPageQuery } from "../../gql/graphql";
import { FilterMenu } from "../../frame/list/FilterMenu";
import { PeriodFilter } from "../../frame/period/PeriodFilter";
import classes from "./accounts.module.css";
import { LedgerPage } from "./documents";
import { isLedgerFiltered, KINDS, ledgerParams, ledgerWhere, parseLedger } from "./search";

const PAGE = 100;
const COLUMNS = ["time", "kind", "what", "note", "amount"] as const;

type Entry = NonNullable<NonNullable<LedgerPageQuery["account"]>["ledger"]>["nodes"][number];

/** The ledger of an account for what is in the address, newest first. */
export function useLedger(account: string) {
  const { isAdmin } = useViewer();
  const { search, change } = useSearch(parseLedger, ledgerParams);
  const key = ledgerParams(search).toString();
  const opened = useMemo(
    () => Date.now(), // a range like "24h" begins a day before it was chosen, or pages would not fit together
    // eslint-disable-next-line react-hooks/exhaustive-deps -- another search has another beginning
    [key],
  );
  const paged = usePagedQuery(
    `ledger/${account}?${key}&${isAdmin}`,
    LedgerPage,
    (after) => ({ id: account, first: PAGE, after, where: ledgerWhere(search, opened), admin: isAdmin }),
    (data) => data.account?.ledger,
  );
  return { ...paged, search, change };
}

export function Ledger({ ledger, currency }: { ledger: ReturnType<typeof useLedger>; currency: string }) {
  const { t } = useTranslation();
  const { list, state, search, change } = ledger;
  const filtered = isLedgerFiltered(search);
  return (
    <>
      <Group justify="space-between" gap={6} mt="xs">
        <Title order={2}>{t("accounts.ledger")}</Title>
        <Group gap={6}>
          <FilterMenu
            several
            label={t("accounts.ledgerColumns.kind")}
            options={KINDS.map((value) => ({ value, label: t(`accounts.kinds.${value}`) }))}
            chosen={search.kind}
            onChange={(chosen) => change({ kind: KINDS.filter((kind) => chosen.includes(kind)) })}
          />
          <PeriodFilter search={search} onChange={change} />
          {filtered && (
            <Button
              variant="subtle"
              color="gray"
              leftSection={<IconX size={14} />}
              onClick={() => change({ kind: [], range: null, from: null, until: null })}
            >
              {t("filters.clear")}
            </Button>
          )}
        </Group>
      </Group>
      <VirtualTable
        label={t("accounts.ledger")}
        list={list}
        state={state}
        columns={COLUMNS.map((name) => ({
          name,
          title: t(`accounts.ledgerColumns.${name}`),
          end: name === "amount",
        }))}
        widths={classes.entry}
        height={36}
        narrowHeight={58}
        listClass={classes.ledger}
        empty={
          <Text size="sm" ta="center" maw={420}>
            {t(filtered ? "accounts.noEntryFound" : "accounts.noEntry")}
          </Text>
        }
        cells={(entry) => <Cells entry={entry} currency={currency} />}
      />
    </>
  );
}

function Cells({ entry, currency }: { entry: Entry; currency: string }) {
  const { t } = useTranslation();
  const format = useFormat();
  const note = [entry.note, entry.creator && t("accounts.by", { email: entry.creator.email })]
    .filter(Boolean)
    .join(" · ");
  const sign = entry.amount > 0 ? "+" : "";
  return (
    <>
      <Cell dim className={classes.time}>
        <Time value={entry.createdAt} />
      </Cell>
      <Cell className={classes.kind}>{t(`accounts.kinds.${entry.kind}`)}</Cell>
      <Cell className={classes.what}>
        <What entry={entry} />
      </Cell>
      <Cell dim className={classes.wide} title={note}>
        {note}
      </Cell>
      <Cell end className={`${classes.amount} ${entry.amount > 0 ? classes.money : ""}`}>
        {sign}
        {format.exactMoney(entry.amount, currency)}
      </Cell>
    </>
  );
}

/** What the entry was for, as a link where there is a page. */
function What({ entry }: { entry: Entry }) {
  const { t, textOr } = useTranslation();
  const { message, sendingProject: project } = entry;
  if (project) {
    return (
      <Link to={`/projects/${project.uuid}`} className={innerLink} title={project.name}>
        {t("accounts.forProject", { name: project.name })}
      </Link>
    );
  }
  if (message) {
    const channel = textOr(`channels.${message.channel}`, message.channel);
    return (
      <Link to={`/messages/${message.uuid}`} className={innerLink} title={message.to}>
        {t("accounts.forMessage", { channel, to: message.to })}
      </Link>
    );
  }
  return t(entry.kind === "credit" ? "accounts.forCredit" : "accounts.forGone");
}
