import { Anchor, Button, Stack, Text } from "@mantine/core";
import { IconPlus, IconX } from "@tabler/icons-react";
import { Suspense } from "react";
import { Link, useNavigate } from "react-router";
import { lazyFile } from "../../frame/api/consoleFiles";
import { useLoaded } from "../../frame/api/useLoaded";
import { useBilling, usePageNames } from "../../frame/billing";
import { useFormat } from "../../frame/values/format";
import { useTranslation } from "../../frame/i18n";
import { FilterBar } from "../../frame/list/FilterBar";
import { usePagedQuery } from "../../frame/list/PagedList";
import { Cell, innerLink, rowLink, VirtualTable } from "../../frame/list/VirtualTable";
import { useViewer } from "../../frame/session";
import { Time } from "../../frame/ui/Time";
import { usePageTitle } from "../../frame/ui/page/usePageTitle";
import { PageHead } from "../../frame/ui/page/PageHead";
import { Empty } from "../../frame/ui/page/Empty";
import { useSearch } from "../../frame/search/useSearch";
import type { AccountPageQuery } from "../../gql/graphql";
import { FilterMenu } from "../../frame/list/FilterMenu";
import { AccountBadge } from "../../frame/ui/figures/AccountBadge";
import classes from "./accounts.module.css";
import { AccountPage, OwnerOf } from "./documents";
import { isFiltered, parseSearch, PLANS, searchParams, whereOf, type Search } from "./search";

const OpenDialog = lazyFile(() => import("./Dialogs").then(({ OpenDialog }) => ({ default: OpenDialog })));
type Row = NonNullable<AccountPageQuery["accounts"]>["nodes"][number];

const PAGE = 100;
const COLUMNS = ["name", "owner", "state", "plan", "low", "created", "balance"] as const;
/** the columns about money */
const MONEY: readonly string[] = ["state", "low", "balance"];

/** The accounts that messages are paid from: the user's own; those of all users for an administrator. */
export default function AccountsPage() {
  const { t } = useTranslation();
  const format = useFormat();
  const navigate = useNavigate();
  const viewer = useViewer();
  const isFree = useBilling() === "off";
  const title = usePageNames()("nav.accounts");
  const widths = viewer.isAdmin ? "ofAll" : "own";
  const { search, change, open: opening, setOpen: setOpening } = useSearch(parseSearch, searchParams, "open");
  const { list, state } = useAccounts(search);
  const owner = useLoaded(OwnerOf, { id: search.owner ?? "" }, !search.owner).data?.user;
  usePageTitle(title);
  const open = viewer.may("accounts:write") && (
    <Button leftSection={<IconPlus size={14} />} onClick={() => setOpening(true)}>
      {t("accounts.open")}
    </Button>
  );

  return (
    <Stack gap={8}>
      <PageHead title={title}>
        {viewer.may("tariffs:read") && (
          <Anchor component={Link} to="/tariffs" size="sm">
            {t(viewer.isAdmin ? "nav.tariffs" : isFree ? "accounts.tariffFree" : "accounts.tariff")}
          </Anchor>
        )}
        {open}
      </PageHead>
      <FilterBar
        total={
          state.total === null
            ? null
            : t("accounts.total", { count: state.total, number: format.number(state.total) })
        }
      >
        <FilterMenu
          several
          label={t("accounts.plan")}
          options={PLANS.map((value) => ({ value, label: t(`accounts.plans.${value}`) }))}
          chosen={search.plan}
          onChange={(chosen) => change({ plan: PLANS.filter((plan) => chosen.includes(plan)) })}
        />
        {search.owner && (
          <Button
            variant="light"
            fw={500}
            rightSection={<IconX size={14} aria-hidden />}
            onClick={() => change({ owner: null })}
          >
            {t("accounts.ofOwner", { owner: owner?.uuid === search.owner ? owner.email : search.owner })}
          </Button>
        )}
      </FilterBar>
      <VirtualTable
        label={title}
        list={list}
        state={state}
        columns={COLUMNS.filter(
          (name) => (viewer.isAdmin || name !== "owner") && !(isFree && MONEY.includes(name)),
        ).map((name) => ({
          name,
          title: t(`accounts.columns.${name}`),
          end: name === "balance" || name === "low",
        }))}
        widths={classes[isFree ? `${widths}Free` : widths]}
        height={40}
        narrowHeight={58}
        empty={
          <Empty
            text={t(
              isFiltered(search) ? "accounts.nothingFound" : isFree ? "accounts.emptyFree" : "accounts.empty",
            )}
          >
            {!isFiltered(search) && open}
          </Empty>
        }
        cells={(row) => <Cells account={row} admin={viewer.isAdmin} isFree={isFree} />}
      />
      {opening && viewer.may("accounts:write") && (
        <Suspense>
          <OpenDialog
            onClose={() => setOpening(false)}
            onDone={(uuid) => void navigate(`/accounts/${uuid}`)}
          />
        </Suspense>
      )}
    </Stack>
  );
}

function useAccounts(search: Search) {
  const { isAdmin: admin } = useViewer();
  return usePagedQuery(
    `accounts?${searchParams(search).toString()}`,
    AccountPage,
    (after) => ({ first: PAGE, after, where: whereOf(search), count: after === null, admin }),
    (data) => data.accounts,
  );
}

function Cells({ account, admin, isFree }: { account: Row; admin: boolean; isFree: boolean }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { name, owner, plan, lowBalance, owed, currency, createdAt } = account;
  return (
    <>
      <Cell title={name}>
        <Link to={`/accounts/${account.uuid}`} className={rowLink}>
          {name}
        </Link>
      </Cell>
      {admin && (
        <Cell dim className={classes.owner} title={owner?.email}>
          {owner && (
            <Link to={`/users/${owner.uuid}`} className={innerLink}>
              {owner.email}
            </Link>
          )}
        </Cell>
      )}
      {!isFree && (
        <Cell className={classes.state}>
          <AccountBadge account={account} />
        </Cell>
      )}
      <Cell dim className={classes.wide}>
        {t(`accounts.plans.${plan}`)}
      </Cell>
      {!isFree && (
        <Cell dim end className={classes.wide}>
          {lowBalance == null ? "–" : format.money(lowBalance, currency)}
        </Cell>
      )}
      <Cell dim className={classes.wide}>
        <Time value={createdAt} />
      </Cell>
      {!isFree && (
        <Cell end className={classes.balance}>
          {format.money(account.balance, currency)}
          {owed !== 0 && (
            <Text
              component="span"
              size="xs"
              c="var(--console-danger)"
              display="block"
              lh={1.1}
              title={t("accounts.owedHint")}
            >
              {t("accounts.owes", { amount: format.money(owed, currency) })}
            </Text>
          )}
        </Cell>
      )}
    </>
  );
}
