import { Anchor, Paper, Title } from "@mantine/core";
import { Link } from "react-router";
import { useLoaded } from "../../../frame/api/useLoaded";
import { useTranslation } from "../../../frame/i18n";
import { useViewer } from "../../../frame/session";
import { Time } from "../../../frame/ui/Time";
import { SenderOfAccount } from "../documents";
import classes from "../messengers.module.css";
import { phoneOf } from "../states";
import type { Account } from "./useAccount";

export function Facts({ account }: { account: Account }) {
  const { t, textOr } = useTranslation();
  const { may } = useViewer();
  const { me } = account;
  const name = [me?.firstName, me?.lastName].filter(Boolean).join(" ");
  const facts = [
    [t("messengers.columns.messenger"), t(`channels.${account.source}`)],
    [t("messengers.facts.driver"), textOr(`messengers.drivers.${account.driver}`, account.driver)],
    [t("messengers.fields.login"), account.login],
    [t("messengers.columns.phone"), phoneOf(account)],
    [t("messengers.facts.profile"), [name, me?.username && `@${me.username}`].filter(Boolean).join(" · ")],
    [t("messengers.facts.checked"), account.checkedAt && <Time value={account.checkedAt} />],
    [t("messengers.facts.added"), <Time key="added" value={account.createdAt} />],
    [
      t("messengers.facts.projects"),
      may("senders:read") && <SenderLink key="sender" account={account} makes={may("senders:write")} />,
    ],
    [t("messengers.columns.owner"), account.owner?.email],
    [t("messengers.facts.id"), account.uuid],
  ] as const;
  return (
    <Paper p="sm">
      <Title order={2} mb="xs">
        {t("messengers.facts.title")}
      </Title>
      <dl className={classes.facts}>
        {facts.map(
          ([label, value]) =>
            value && (
              <div key={label} className={classes.fact}>
                <dt>{label}</dt>
                <dd>{value}</dd>
              </div>
            ),
        )}
      </dl>
    </Paper>
  );
}

/** Leads to the sender that projects use, or to making the account one. */
function SenderLink({ account, makes }: { account: Account; makes: boolean }) {
  const { t } = useTranslation();
  const { data } = useLoaded(SenderOfAccount, { id: account.uuid });
  const senders = data?.messengerAccount?.sourceAccounts?.nodes;
  const [sender] = senders ?? [];
  if (!senders || (!sender && !makes)) return "–";
  const to = sender
    ? `/senders?q=${encodeURIComponent(sender.login)}`
    : `/senders?add=1&account=${account.uuid}`;
  return (
    <Anchor component={Link} to={to} size="sm">
      {t(sender ? "messengers.facts.sender" : "messengers.facts.makeSender")}
    </Anchor>
  );
}
