import "../styles";
import { Anchor, Breadcrumbs, Loader, Stack, Tabs, Text } from "@mantine/core";
import { Link, useParams, useSearchParams } from "react-router";
import { useTranslation } from "../../../frame/i18n";
import { useViewer } from "../../../frame/session";
import { NotFound } from "../../../frame/ui/page/NotFound";
import { ProblemNotice } from "../../../frame/ui/page/ProblemNotice";
import { usePageTitle } from "../../../frame/ui/page/usePageTitle";
import { PageHead } from "../../../frame/ui/page/PageHead";
import { AccountBadge } from "../AccountBadge";
import { RestrictionBadge } from "../Restriction";
import classes from "../messengers.module.css";
import { Actions } from "./Actions";
import { Facts } from "./Facts";
import { History } from "./History";
import { ProxyTab } from "./ProxyTab";
import { SettingsTab } from "./SettingsTab";
import { StateTab } from "./StateTab";
import { useAccount } from "./useAccount";
import { WebhooksTab } from "./WebhooksTab";

const TABS = ["state", "history", "proxy", "webhooks", "settings"] as const;
const GONE = new Set(["account_not_found", "bad_id", "not_found"]);

export default function MessengerPage() {
  const { uuid = "" } = useParams();
  return <OneAccount key={uuid} uuid={uuid} />;
}

function OneAccount({ uuid }: { uuid: string }) {
  const { t } = useTranslation();
  const { account, code, problem, loading, reload } = useAccount(uuid);
  const [params, setParams] = useSearchParams();
  const writes = useViewer().may("messengers:write");
  const tabs = TABS.filter((item) => writes || item !== "settings");
  const tab = tabs.find((item) => item === params.get("tab")) ?? "state";
  usePageTitle(account?.name ?? t("messengers.title"));
  if (!account) {
    if (loading) return <Loader size="sm" aria-label={t("common.loading")} />;
    if (!problem || GONE.has(problem.code)) return <NotFound text={t("messengers.notFound")} />;
    return <ProblemNotice problem={problem} onRetry={reload} />;
  }
  return (
    <Stack gap="sm">
      <Breadcrumbs>
        <Anchor component={Link} to="/messengers" size="sm">
          {t("messengers.title")}
        </Anchor>
        <Text size="sm" c="dimmed">
          {t(`channels.${account.source}`)}
        </Text>
      </Breadcrumbs>
      <PageHead
        title={account.name}
        note={
          <>
            <AccountBadge state={account.state} />
            <RestrictionBadge account={account} />
          </>
        }
      >
        <Actions account={account} />
      </PageHead>
      <Tabs
        value={tab}
        keepMounted={false}
        onChange={(value) => setParams(!value || value === "state" ? {} : { tab: value })}
      >
        <Tabs.List>
          {tabs.map((name) => (
            <Tabs.Tab key={name} value={name}>
              {t(`messengers.tabs.${name}`)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="state" pt="sm">
          <div className={classes.columns}>
            <StateTab account={account} code={code} onChanged={reload} />
            <Facts account={account} />
          </div>
        </Tabs.Panel>
        <Tabs.Panel value="history" pt="sm">
          <History account={account} />
        </Tabs.Panel>
        <Tabs.Panel value="proxy" pt="sm">
          <ProxyTab account={account} onChanged={reload} />
        </Tabs.Panel>
        <Tabs.Panel value="webhooks" pt="sm">
          <WebhooksTab account={account} />
        </Tabs.Panel>
        <Tabs.Panel value="settings" pt="sm">
          <SettingsTab account={account} onChanged={reload} />
        </Tabs.Panel>
      </Tabs>
    </Stack>
  );
}
