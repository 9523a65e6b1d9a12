import "../styles";
import { Alert, Anchor, Breadcrumbs, Loader, Stack, Tabs, Text } from "@mantine/core";
import { Link, useParams, useSearchParams } from "react-router";
import { useLoaded } from "../../../frame/api/useLoaded";
import { useTranslation } from "../../../frame/i18n";
import { useViewer } from "../../../frame/session";
import { NotFound } from "../../../frame/ui/page/NotFound";
import { ProblemNotice } from "../../../frame/ui/page/ProblemNotice";
import { useVisibleInterval } from "../../../frame/ui/useInterval";
import { usePageTitle } from "../../../frame/ui/page/usePageTitle";
import { PageHead } from "../../../frame/ui/page/PageHead";
import type { HookFragment } from "../../../gql/graphql";
import { Actions } from "./Actions";
import { Deliveries } from "./deliveries/Deliveries";
import { DocumentTab } from "./DocumentTab";
import { OneHook } from "./documents";
import { COLORS, healthOf } from "./health";
import { HealthBadge } from "./HealthBadge";
import { SettingsTab } from "./SettingsTab";
import { useScope, useWebhookStory } from "./useWebhookStory";

const POLL_MS = 5_000;
const TABS = ["deliveries", "dead", "document", "settings"] as const;

/** One webhook: how it is, what was sent, and its settings. */
export default function WebhookPage() {
  const { uuid = "" } = useParams();
  const { t } = useTranslation();
  const { data, problem, loading, reload } = useLoaded(OneHook, { id: uuid });
  useVisibleInterval(reload, POLL_MS);
  const hook = data?.webhook;
  usePageTitle(hook?.url ?? t("nav.webhooks"));
  if (hook) return <Shown key={hook.uuid} hook={hook} onChanged={reload} />;
  if (loading) return <Loader size="sm" aria-label={t("common.loading")} />;
  if (!problem || problem.code === "webhook_not_found" || problem.code === "bad_id") {
    return <NotFound text={t("hooks.notFound")} />;
  }
  return <ProblemNotice problem={problem} onRetry={reload} />;
}

function Shown({ hook, onChanged }: { hook: HookFragment; onChanged: () => void }) {
  const { t } = useTranslation();
  const story = useWebhookStory()(hook);
  const scope = useScope()(hook);
  const [params, setParams] = useSearchParams();
  const ofFeed = !hook.account;
  const { may } = useViewer();
  const tabs = TABS.filter(
    (item) =>
      (item !== "document" || (ofFeed && may("events:read"))) &&
      (item !== "settings" || may("messengers:write")),
  );
  const tab = tabs.find((item) => item === params.get("tab")) ?? "deliveries";
  const health = healthOf(hook);
  const color = health === "off" ? "orange" : COLORS[health];
  return (
    <Stack gap="sm">
      <Breadcrumbs>
        <Anchor component={Link} to="/webhooks" size="sm">
          {t("nav.webhooks")}
        </Anchor>
        <Text size="sm" c="dimmed">
          {t(ofFeed ? "hooks.kindFeed" : "hooks.kindAccount")}
        </Text>
      </Breadcrumbs>
      <PageHead title={hook.url} note={<HealthBadge health={health} />} about={scope}>
        <Actions hook={hook} onChanged={onChanged} />
      </PageHead>
      {health === "failing" || health === "off" ? (
        <Alert color={color} role="status">
          {story}
        </Alert>
      ) : (
        <Text size="sm" role="status">
          {story}
        </Text>
      )}
      <Tabs value={tab} onChange={(value) => setParams(value === "deliveries" ? {} : { tab: value ?? "" })}>
        <Tabs.List mb="sm">
          {tabs.map((item) => (
            <Tabs.Tab key={item} value={item}>
              {t(`hooks.tabs.${item}`)}
              {item === "dead" && hook.dead > 0 && ` (${hook.dead})`}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value={tab}>
          {tab === "deliveries" && <Deliveries key="all" hook={hook} onChanged={onChanged} />}
          {tab === "dead" && <Deliveries key="dead" hook={hook} dead onChanged={onChanged} />}
          {tab === "document" && <DocumentTab hook={hook} onChanged={onChanged} />}
          {tab === "settings" && <SettingsTab hook={hook} onChanged={onChanged} />}
        </Tabs.Panel>
      </Tabs>
    </Stack>
  );
}
