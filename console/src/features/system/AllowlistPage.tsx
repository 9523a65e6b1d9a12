import { Alert, Badge, Button, Group, Loader, Paper, SegmentedControl, Text, Title } from "@mantine/core";
import { IconAlertTriangle, IconCircleCheck } from "@tabler/icons-react";
import { useSearchParams } from "react-router";
import { useLoaded } from "../../frame/api/useLoaded";
import { useFormat } from "../../frame/values/format";
import { useTranslation } from "../../frame/i18n";
import { useChangeParams } from "../../frame/search/useChangeParams";
import { ProblemNotice } from "../../frame/ui/page/ProblemNotice";
import { Figure, Figures } from "../../frame/ui/figures/Figures";
import { Time } from "../../frame/ui/Time";
import { useVisibleInterval } from "../../frame/ui/useInterval";
import type { AllowlistInUseQuery } from "../../gql/graphql";
import { AdminOnly } from "../../frame/ui/page/AdminOnly";
import { Empty } from "../../frame/ui/page/Empty";
import { SearchField } from "../../frame/ui/SearchField";
import { AllowlistInUse, AllowlistLines } from "./documents";
import { byAddress, filtered, type Line } from "./lines";
import { AddressTable, LineTable } from "./LineTables";
import classes from "./system.module.css";
import { SystemFrame } from "./SystemFrame";

const POLL_MS = 15_000;

type Allowlist = NonNullable<AllowlistInUseQuery["ipAllowlist"]>;

export default function AllowlistPage() {
  return (
    <AdminOnly>
      <AllowlistView />
    </AdminOnly>
  );
}

/** Who may send requests at all, and whom `Enforce` would lock out. */
function AllowlistView() {
  const { t } = useTranslation();
  const list = useLoaded(AllowlistInUse, {});
  const lines = useLoaded(AllowlistLines, {});
  useVisibleInterval(() => {
    list.reload();
    lines.reload();
  }, POLL_MS);
  const allowlist = list.data?.ipAllowlist;
  return (
    <SystemFrame>
      {list.problem && <ProblemNotice problem={list.problem} onRetry={list.reload} />}
      {!allowlist && list.loading && <Loader size="sm" aria-label={t("common.loading")} />}
      {allowlist && <OwnAddress allowlist={allowlist} />}
      {allowlist && <Status allowlist={allowlist} />}
      {lines.problem && <ProblemNotice problem={lines.problem} onRetry={lines.reload} />}
      {allowlist && lines.data?.ipAllowlistLines && (
        <Recorded lines={lines.data.ipAllowlistLines} enforced={allowlist.mode === "Enforce"} />
      )}
    </SystemFrame>
  );
}

function OwnAddress({ allowlist: { yourAddress, yourReason } }: { allowlist: Allowlist }) {
  const { t } = useTranslation();
  if (!yourReason) {
    return (
      <Group gap={6}>
        <IconCircleCheck size={18} color="var(--mantine-color-teal-6)" aria-hidden />
        <Text size="sm">{t("allowlist.youAreListed", { address: yourAddress ?? "" })}</Text>
      </Group>
    );
  }
  return (
    <Alert color="yellow" icon={<IconAlertTriangle size={18} />} role="note">
      <Text size="sm" fw={600}>
        {t("allowlist.youWouldBeOut")}
      </Text>
      <Text size="sm">
        {yourReason === "notListed"
          ? t("allowlist.yourAddress", { address: yourAddress ?? "" })
          : t(`allowlist.yourReasons.${yourReason}`)}
      </Text>
    </Alert>
  );
}

function Status({ allowlist }: { allowlist: Allowlist }) {
  const { t } = useTranslation();
  const format = useFormat();
  const [params] = useSearchParams();
  const change = useChangeParams();
  const shows = params.get("networks") === "all";
  const enforced = allowlist.mode === "Enforce";
  const toggle = () => change({ networks: shows ? null : "all" }, true);
  return (
    <Paper p="sm">
      <Group gap={8} mb={4}>
        <Title order={2}>{t("allowlist.inUse")}</Title>
        <Badge color={enforced ? "teal" : "gray"} variant="light" tt="none" radius="sm" fw={500}>
          {enforced ? t("allowlist.enforced") : t("allowlist.observed")}
        </Badge>
      </Group>
      <Text size="sm" mb="xs">
        {t(enforced ? "allowlist.enforcedText" : "allowlist.observedText")}
      </Text>
      {allowlist.error && (
        <Alert color="red" role="alert" mb="xs" icon={<IconAlertTriangle size={18} />}>
          <Text size="sm">{allowlist.error}</Text>
          <Text size="sm">{t("allowlist.errorNext")}</Text>
        </Alert>
      )}
      {allowlist.everyone && (
        <Alert color="yellow" role="note" mb="xs" icon={<IconAlertTriangle size={18} />}>
          <Text size="sm">{t("allowlist.everyone")}</Text>
        </Alert>
      )}
      <Figures>
        <Figure wide label={t("allowlist.file")}>
          {allowlist.file}
        </Figure>
        <Figure label={t("allowlist.entries")}>
          {allowlist.loadedAt ? format.number(allowlist.entries) : t("allowlist.noFile")}
        </Figure>
        <Figure label={t("allowlist.loadedAt")}>
          {allowlist.loadedAt ? <Time value={allowlist.loadedAt} /> : "–"}
        </Figure>
      </Figures>
      <Group mt="xs" gap="xs">
        {allowlist.networks.length > 0 && (
          <Button variant="default" size="compact-xs" aria-expanded={shows} onClick={toggle}>
            {t(shows ? "allowlist.hideNetworks" : "allowlist.showNetworks")}
          </Button>
        )}
        <Text size="xs" c="dimmed">
          {t(allowlist.loadedAt ? "allowlist.howToChange" : "allowlist.howToBegin")}
        </Text>
      </Group>
      {shows && (
        <ul className={classes.networks} tabIndex={0} aria-label={t("allowlist.networks")}>
          {allowlist.networks.map((network) => (
            <li key={network}>{network}</li>
          ))}
        </ul>
      )}
    </Paper>
  );
}

function Recorded({ lines, enforced }: { lines: readonly Line[]; enforced: boolean }) {
  const { t } = useTranslation();
  const format = useFormat();
  const [params] = useSearchParams();
  const change = useChangeParams();
  const text = params.get("q") ?? "";
  const view = params.get("view") === "lines" ? "lines" : "addresses";
  const chosen = filtered(lines, text);
  const groups = byAddress(chosen);
  const out = groups.filter(({ listed }) => !listed).length;
  return (
    <Paper p="sm">
      <Title order={2}>{t(enforced ? "allowlist.refused" : "allowlist.wouldBeOut")}</Title>
      <Text size="xs" c="dimmed" mb="xs">
        {t("allowlist.recordedText")}
      </Text>
      <Group gap={6} mb="xs">
        <SearchField
          label={t("allowlist.search")}
          value={text}
          onChange={(value) => change({ q: value.trim() || null }, true)}
        />
        <SegmentedControl
          size="xs"
          aria-label={t("allowlist.view")}
          value={view}
          onChange={(value) => change({ view: value === "lines" ? "lines" : null })}
          data={[
            { value: "addresses", label: t("allowlist.views.addresses") },
            { value: "lines", label: t("allowlist.views.lines") },
          ]}
        />
        <Text size="xs" c="dimmed" ms="auto" role="status">
          {lines.length > 0 &&
            `${t("allowlist.addresses", { count: out, number: format.number(out) })} · ${t(
              "allowlist.requests",
              {
                count: chosen.length,
                number: format.number(chosen.length),
              },
            )}`}
        </Text>
      </Group>
      {chosen.length === 0 ? (
        <Empty text={t(lines.length === 0 ? "allowlist.nothing" : "allowlist.nothingFound")} />
      ) : view === "lines" ? (
        <LineTable lines={chosen} />
      ) : (
        <AddressTable groups={groups} onChoose={(address) => change({ q: address }, true)} />
      )}
    </Paper>
  );
}
