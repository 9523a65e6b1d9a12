import { Button, Stack } from "@mantine/core";
import { IconUserPlus } from "@tabler/icons-react";
import { Suspense } from "react";
import { Link } from "react-router";
import { lazyFile } from "../../frame/api/consoleFiles";
import { useLoaded } from "../../frame/api/useLoaded";
import { useFormat } from "../../frame/values/format";
import { useTranslation } from "../../frame/i18n";
import { usePagedQuery } from "../../frame/list/PagedList";
import { Cell, rowLink, VirtualTable } from "../../frame/list/VirtualTable";
import { AdminOnly } from "../../frame/ui/page/AdminOnly";
import { FilterBar } from "../../frame/list/FilterBar";
import { SearchField } from "../../frame/ui/SearchField";
import { Time } from "../../frame/ui/Time";
import { usePageTitle } from "../../frame/ui/page/usePageTitle";
import { PageHead } from "../../frame/ui/page/PageHead";
import { Empty } from "../../frame/ui/page/Empty";
import { useSearch } from "../../frame/search/useSearch";
import type { UserRowFragment } from "../../gql/graphql";
import { FilterMenu } from "../../frame/list/FilterMenu";
import { TariffChoices, UserPage } from "./documents";
import { isFiltered, parseSearch, ROLES, searchParams, STATES, whereOf, type Search } from "./search";
import { UserBadge } from "./UserBadge";
import classes from "./users.module.css";

const InviteDialog = lazyFile(() =>
  import("./InviteDialog").then(({ InviteDialog }) => ({ default: InviteDialog })),
);
const PAGE = 100;
const COLUMNS = ["email", "name", "role", "status", "created"] as const;

/** Everybody who may use this gateway. */
export default function UsersPage() {
  return (
    <AdminOnly>
      <Users />
    </AdminOnly>
  );
}

function Users() {
  const { t } = useTranslation();
  const format = useFormat();
  const {
    search,
    change,
    open: inviting,
    setOpen: setInviting,
  } = useSearch(parseSearch, searchParams, "invite");
  const { list, state } = useUsers(search);
  const tariffs = useLoaded(TariffChoices, {}).data?.tariffs?.nodes ?? [];
  usePageTitle(t("nav.users"));

  return (
    <Stack gap={8}>
      <PageHead title={t("nav.users")}>
        <Button leftSection={<IconUserPlus size={14} />} onClick={() => setInviting(true)}>
          {t("users.add")}
        </Button>
      </PageHead>
      <FilterBar
        filtered={isFiltered(search)}
        onClear={() => change({ text: "", status: [], role: null, tariff: null })}
        total={
          state.total === null
            ? null
            : t("users.total", { count: state.total, number: format.number(state.total) })
        }
      >
        <SearchField label={t("users.search")} value={search.text} onChange={(text) => change({ text })} />
        <FilterMenu
          several
          label={t("users.columns.status")}
          options={STATES.map((value) => ({ value, label: t(`users.states.${value}`) }))}
          chosen={search.status}
          onChange={(chosen) => change({ status: STATES.filter((item) => chosen.includes(item)) })}
        />
        <FilterMenu
          label={t("users.columns.role")}
          options={ROLES.map((value) => ({ value, label: t(`users.roles.${value}`) }))}
          chosen={search.role ? [search.role] : []}
          onChange={([role]) => change({ role: ROLES.find((item) => item === role) ?? null })}
        />
        <FilterMenu
          label={t("users.tariff")}
          options={tariffs.map(({ code, name }) => ({ value: code, label: name }))}
          chosen={search.tariff ? [search.tariff] : []}
          onChange={([tariff]) => change({ tariff: tariff ?? null })}
        />
      </FilterBar>
      <VirtualTable
        label={t("nav.users")}
        list={list}
        state={state}
        columns={COLUMNS.map((name) => ({
          name,
          title: t(`users.columns.${name}`),
          end: name === "created",
        }))}
        widths={classes.user}
        height={40}
        narrowHeight={58}
        empty={<Empty text={t("users.nothingFound")} />}
        cells={(user) => <Cells user={user} />}
      />
      {inviting && (
        <Suspense>
          <InviteDialog onClose={() => setInviting(false)} onDone={() => void list.reload()} />
        </Suspense>
      )}
    </Stack>
  );
}

function useUsers(search: Search) {
  return usePagedQuery(
    `users?${searchParams(search).toString()}`,
    UserPage,
    (after) => ({ first: PAGE, after, where: whereOf(search), count: after === null }),
    (data) => data.users,
  );
}

function Cells({ user }: { user: UserRowFragment }) {
  const { t } = useTranslation();
  return (
    <>
      <Cell title={user.email}>
        <Link to={`/users/${user.uuid}`} className={rowLink}>
          {user.email}
        </Link>
      </Cell>
      <Cell className={classes.name} title={user.displayName}>
        {user.displayName}
      </Cell>
      <Cell dim className={classes.role}>
        {user.roles.includes("admin") && t("users.roles.admin")}
      </Cell>
      <Cell className={classes.status}>
        <UserBadge status={user.status} />
      </Cell>
      <Cell dim end className={classes.created}>
        <Time value={user.createdAt} />
      </Cell>
    </>
  );
}
