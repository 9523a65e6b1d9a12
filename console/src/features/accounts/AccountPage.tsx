import { Alert, Anchor, Breadcrumbs, Button, Loader, Paper, Stack, Text } from "@mantine/core";
import { IconBell, IconCoins, IconPencil } from "@tabler/icons-react";
import { useState, type ReactNode } from "react";
import { Link, useParams, useSearchParams } from "react-router";
import { useSubscription } from "urql";
import { useChangeParams } from "../../frame/search/useChangeParams";
import { useLoaded } from "../../frame/api/useLoaded";
import { useBilling, usePageNames } from "../../frame/billing";
import { useFormat } from "../../frame/values/format";
import { useTranslation } from "../../frame/i18n";
import { useViewer } from "../../frame/session";
import { Notice, useNotice } from "../../frame/ui/page/Notice";
import { NotFound } from "../../frame/ui/page/NotFound";
import { ProblemNotice } from "../../frame/ui/page/ProblemNotice";
import { Time } from "../../frame/ui/Time";
import { useThrottled, useVisibleInterval } from "../../frame/ui/useInterval";
import { usePageTitle } from "../../frame/ui/page/usePageTitle";
import { PageHead } from "../../frame/ui/page/PageHead";
import type { OneAccountQuery } from "../../gql/graphql";
import { AccountBadge, stateOf } from "../../frame/ui/figures/AccountBadge";
import classes from "./accounts.module.css";
import { CreditDialog } from "./CreditDialog";
import { ChangeDialog, LowBalanceDialog } from "./Dialogs";
import { AccountMoved, OneAccount } from "./documents";
import { Ledger, useLedger } from "./Ledger";

const POLL_MS = 15_000;
const AFTER_SIGNAL_MS = 1_000;

/** One account: its balance, and every movement of it. */
export default function AccountPage() {
  const { uuid = "" } = useParams();
  return <OnePage key={uuid} uuid={uuid} />;
}

function OnePage({ uuid }: { uuid: string }) {
  const { t } = useTranslation();
  const { data, problem, loading, reload } = useLoaded(OneAccount, {
    id: uuid,
    admin: useViewer().isAdmin,
  });
  const account = data?.account;
  usePageTitle(account?.name ?? t("accounts.account"));
  if (account) return <Shown account={account} reload={reload} />;
  if (loading) return <Loader size="sm" aria-label={t("common.loading")} />;
  if (!problem || problem.code === "account_not_found" || problem.code === "bad_id") {
    return <NotFound text={t("accounts.notFound")} />;
  }
  return <ProblemNotice problem={problem} onRetry={reload} />;
}

type Account = NonNullable<OneAccountQuery["account"]>;
type Dialog = "credit" | "low" | "change";

function Shown({ account, reload }: { account: Account; reload: () => void }) {
  const { t } = useTranslation();
  const format = useFormat();
  const viewer = useViewer();
  const isFree = useBilling() === "off";
  const nameOf = usePageNames();
  const ledger = useLedger(account.uuid);
  const [params] = useSearchParams();
  const changeParams = useChangeParams();
  const asked = viewer.isAdmin && !isFree && params.has("credit");
  const [dialog, setDialog] = useState<Dialog | null>(asked ? "credit" : null);
  const notice = useNotice();
  const poll = useThrottled(() => {
    reload();
    ledger.poll();
  }, AFTER_SIGNAL_MS);
  // A message that changes may have been charged or refunded. Other changes of a balance are polled.
  const pause = !viewer.may("messages:read");
  useSubscription({ query: AccountMoved, variables: { id: account.uuid }, pause }, (_before, event) => {
    poll();
    return event;
  });
  useVisibleInterval(reload, POLL_MS);
  const close = () => {
    setDialog(null);
    if (params.has("credit")) changeParams({ credit: null }, true);
  };
  const dialogProps = {
    account,
    onClose: () => {
      close();
      poll(); // if an answer was lost, the page shows whether something was booked
    },
    onDone: (message: string) => {
      close();
      notice.show(message);
      reload();
      void ledger.list.reload();
    },
  };
  const state = stateOf(account);

  return (
    <Stack gap={8}>
      <Breadcrumbs>
        <Anchor component={Link} to="/accounts" size="sm">
          {nameOf("nav.accounts")}
        </Anchor>
        <Text size="sm" c="dimmed">
          {t(`accounts.plans.${account.plan}`)}
        </Text>
      </Breadcrumbs>
      <PageHead title={account.name} note={<AccountBadge account={account} />}>
        {viewer.may("accounts:write") && (
          <>
            <Button
              variant="default"
              leftSection={<IconPencil size={14} />}
              onClick={() => setDialog("change")}
            >
              {t("accounts.change")}
            </Button>
            {!isFree && (
              <Button variant="default" leftSection={<IconBell size={14} />} onClick={() => setDialog("low")}>
                {t("accounts.lowTitle")}
              </Button>
            )}
          </>
        )}
        {viewer.isAdmin && !isFree && (
          <Button leftSection={<IconCoins size={14} />} onClick={() => setDialog("credit")}>
            {t("accounts.credit")}
          </Button>
        )}
      </PageHead>
      <Notice message={notice.message} onDismiss={notice.dismiss} />
      {state !== "funded" && !notice.message && !isFree && (
        <Alert color={state === "empty" ? "red" : "yellow"}>
          {t(`accounts.next.${state}${viewer.isAdmin ? "Admin" : ""}`)}
        </Alert>
      )}
      <div className={classes.tiles}>
        {!isFree && (
          <>
            <Tile label={t("accounts.balance")}>{format.exactMoney(account.balance, account.currency)}</Tile>
            {account.owed !== 0 && (
              <Tile label={t("accounts.owed")}>
                {format.exactMoney(account.owed, account.currency)}
                <Text size="xs" c="dimmed" fw={400}>
                  {t("accounts.owedHint")}
                </Text>
              </Tile>
            )}
            <Tile label={t("accounts.lowBelow")}>
              {account.lowBalance == null
                ? t("accounts.never")
                : format.money(account.lowBalance, account.currency)}
            </Tile>
          </>
        )}
        {viewer.isAdmin && account.owner && (
          <Tile label={t("accounts.owner")} small>
            <Anchor
              component={Link}
              to={`/users/${account.owner.uuid}`}
              title={account.owner.email}
              inherit
              truncate
              display="block"
            >
              {account.owner.email}
            </Anchor>
          </Tile>
        )}
        <Tile label={t("accounts.opened")} small>
          <Time value={account.createdAt} />
        </Tile>
        <Tile label={t("accounts.statements")} small>
          <Anchor component={Link} to={`/accounts/${account.uuid}/statements`} inherit>
            {t("accounts.itsStatements")}
          </Anchor>
        </Tile>
        {viewer.may("messages:read") && (
          <Tile label={t("accounts.pays")} small>
            <Anchor component={Link} to={`/messages?account=${account.uuid}`} inherit>
              {t("accounts.itsMessages")}
            </Anchor>
          </Tile>
        )}
      </div>
      {!isFree && <Ledger ledger={ledger} account={account} />}
      {dialog === "credit" && <CreditDialog {...dialogProps} />}
      {dialog === "low" && <LowBalanceDialog {...dialogProps} />}
      {dialog === "change" && <ChangeDialog {...dialogProps} />}
    </Stack>
  );
}

function Tile({ label, small = false, children }: { label: string; small?: boolean; children: ReactNode }) {
  return (
    <Paper p="sm">
      <Text size="xs" c="dimmed">
        {label}
      </Text>
      <Text
        component="div"
        size="sm"
        className={small ? undefined : classes.value}
        style={{ overflowWrap: "anywhere" }}
      >
        {children}
      </Text>
    </Paper>
  );
}
