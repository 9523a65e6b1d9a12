import { Button, Group, Loader, Title, UnstyledButton } from "@mantine/core";
import { IconChevronRight, IconX } from "@tabler/icons-react";
import { useMemo } from "react";
import { Link } from "react-router";
import { ExportsButton } from "../../frame/files/ExportsButton";
import { useFormat } from "../../frame/values/format";
import { useSearch } from "../../frame/search/useSearch";
import { useTranslation } from "../../frame/i18n";
import { usePagedQuery, type PagedList } from "../../frame/list/PagedList";
import { Cell, innerLink, VirtualTable } from "../../frame/list/VirtualTable";
import { useViewer } from "../../frame/session";
import { Time } from "../../frame/ui/Time";
import { FilterMenu } from "../../frame/list/FilterMenu";
import { PeriodFilter } from "../../frame/period/PeriodFilter";
import { Empty } from "../../frame/ui/page/Empty";
import classes from "./accounts.module.css";
import { LedgerPage } from "./documents";
import { linesOf, type Entry, type Line } from "./lines";
import { isLedgerFiltered, KINDS, ledgerParams, ledgerWhere, parseLedger } from "./search";
import { useUnfolded } from "./useUnfolded";

const PAGE = 100;
const COLUMNS = ["time", "kind", "what", "note", "amount"] as const;

/** The ledger of an account for what is in the address, newest first. */
export function useLedger(account: string) {
  const { isAdmin, may } = useViewer();
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
    (after) => ({
      id: account,
      first: PAGE,
      after,
      where: ledgerWhere(search, opened),
      admin: isAdmin,
      messages: may("messages:read"),
      projects: may("projects:read"),
    }),
    (data) => data.account?.ledger,
  );
  return { ...paged, search, change };
}

interface Props {
  ledger: ReturnType<typeof useLedger>;
  account: { uuid: string; currency: string };
}

export function Ledger({ ledger, account }: Props) {
  const { t } = useTranslation();
  const { list, state, search, change } = ledger;
  const inside = useUnfolded(account.uuid);
  const { unfolded } = inside;
  const grouped = search.kind.length === 0;
  const lines = useMemo(() => linesOf(state.rows, grouped, unfolded), [state.rows, grouped, unfolded]);
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
          <ExportsButton
            source="ledger"
            title={t("accounts.export")}
            heading={t("accounts.exportTitle")}
            empty={t("accounts.noExports")}
            label={t("accounts.exportAs")}
            filters={{ accountUuid: account.uuid }}
            byMonth
          />
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
        list={list as unknown as PagedList<Line>}
        state={{ ...state, rows: lines }}
        columns={COLUMNS.map((name) => ({
          name,
          title: t(`accounts.ledgerColumns.${name}`),
          end: name === "amount",
        }))}
        widths={classes.entry}
        height={36}
        narrowHeight={58}
        listClass={classes.ledger}
        empty={<Empty text={t(filtered ? "accounts.noEntryFound" : "accounts.noEntry")} />}
        cells={(line) => <LineCells line={line} currency={account.currency} inside={inside} />}
      />
    </>
  );
}

interface LineProps {
  line: Line;
  currency: string;
  inside: ReturnType<typeof useUnfolded>;
}

function LineCells({ line, currency, inside }: LineProps) {
  const { t } = useTranslation();
  const format = useFormat();
  if (line.kind === "entry") return <Cells entry={line.entry} currency={currency} />;
  if (line.kind === "more") {
    const { loading, problem } = line.state;
    return (
      <>
        <Cell className={classes.time} />
        <Cell className={classes.kind} />
        <Cell className={classes.what}>
          {loading ? (
            <Loader size="xs" aria-label={t("common.loading")} />
          ) : (
            <UnstyledButton className={classes.more} onClick={() => inside.more(line.project)}>
              {problem ? `${problem.message} ${t("accounts.tryAgain")}` : t("accounts.showMore")}
            </UnstyledButton>
          )}
        </Cell>
      </>
    );
  }
  if (line.kind === "inside") {
    const { entry } = line;
    return (
      <>
        <Cell dim className={`${classes.time} ${classes.inside}`}>
          <Time value={entry.createdAt} />
        </Cell>
        <Cell dim className={classes.kind}>
          {t(`accounts.kinds.${entry.kind}`)}
        </Cell>
        <Cell className={classes.what} />
        <Cell className={classes.wide} />
        <Cell dim end className={classes.amount}>
          {entry.amount > 0 ? "+" : ""}
          {format.exactMoney(entry.amount, currency)}
        </Cell>
      </>
    );
  }
  const { entry, project, cost, open } = line;
  const name = entry.sendingProject?.name ?? t("accounts.forGoneProject");
  const note = [
    t("accounts.charged", { price: format.exactMoney(cost.charged, currency) }),
    cost.refunded > 0 ? t("accounts.refunded", { price: format.exactMoney(cost.refunded, currency) }) : "",
  ]
    .filter(Boolean)
    .join(", ");
  return (
    <>
      <Cell dim className={classes.time}>
        <Time value={entry.createdAt} />
      </Cell>
      <Cell className={classes.kind}>
        <UnstyledButton
          className={classes.unfold}
          aria-expanded={open}
          aria-label={t(open ? "accounts.fold" : "accounts.unfold", { name })}
          onClick={() => inside.toggle(project)}
        >
          <IconChevronRight size={14} aria-hidden data-open={open || undefined} />
          {t("accounts.entries", { count: cost.entries, number: format.number(cost.entries) })}
        </UnstyledButton>
      </Cell>
      <Cell className={classes.what}>
        <What entry={entry} />
      </Cell>
      <Cell dim className={classes.wide} title={note}>
        {note}
      </Cell>
      <Cell end className={`${classes.amount} ${cost.cost < 0 ? classes.money : ""}`}>
        {cost.cost < 0 ? "+" : ""}
        {format.exactMoney(-cost.cost, currency)}
      </Cell>
    </>
  );
}

function Cells({ entry, currency }: { entry: Entry; currency: string }) {
  const { t } = useTranslation();
  const format = useFormat();
  const count = entry.entryCount;
  const note = [
    entry.note,
    entry.creator && t("accounts.by", { email: entry.creator.email }),
    count !== null && t("accounts.sum", { count, number: format.number(count) }),
  ]
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
  if (entry.projectId) return t("accounts.forGoneProject");
  if (entry.entryCount !== null) return t("accounts.forGoneMessages");
  return t(entry.kind === "credit" ? "accounts.forCredit" : "accounts.forGone");
}
