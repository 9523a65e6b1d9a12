import "../styles";
import { Anchor, Button, Group, List, Text } from "@mantine/core";
import { IconPlus, IconRepeat, IconX } from "@tabler/icons-react";
import { useState } from "react";
import { Link } from "react-router";
import { useLoaded } from "../../../frame/api/useLoaded";
import { useFormat } from "../../../frame/values/format";
import { useTranslation } from "../../../frame/i18n";
import { usePageTitle } from "../../../frame/ui/page/usePageTitle";
import { PageHead } from "../../../frame/ui/page/PageHead";
import { Empty } from "../../../frame/ui/page/Empty";
import { SearchField } from "../../../frame/ui/SearchField";
import { useSearch } from "../../../frame/search/useSearch";
import { useSelection } from "../../../frame/list/useSelection";
import { FilterMenu } from "../../../frame/list/FilterMenu";
import { useViewer } from "../../../frame/session";
import { ProjectTotal } from "../documents";
import { PROJECT_STATES } from "../states";
import { BulkBar } from "./BulkBar";
import { ProjectTable } from "./ProjectTable";
import { CHANNELS, isFiltered, ORDERS, parseSearch, searchParams, whereOf, type Search } from "./search";
import { useProjects } from "./useProjects";

export default function ProjectsPage() {
  const { t } = useTranslation();
  const { search, change } = useSearch(parseSearch, searchParams);
  const key = searchParams(search).toString();
  const { list, state } = useProjects(search);
  usePageTitle(t("projects.title"));
  const { may } = useViewer();
  const filtered = isFiltered(search);
  const selection = useSelection(state.rows);
  return (
    <>
      <PageHead title={t("projects.title")}>
        <Button component={Link} to="/repeatable" variant="default" leftSection={<IconRepeat size={14} />}>
          {t("nav.repeatable")}
        </Button>
        {may("projects:write") && (
          <Button component={Link} to="/projects/new" leftSection={<IconPlus size={14} />}>
            {t("projects.new")}
          </Button>
        )}
      </PageHead>
      <Group gap={6} my={8}>
        <SearchField
          label={t("projects.nameFilter")}
          value={search.name}
          onChange={(name) => change({ name })}
        />
        <FilterMenu
          several
          label={t("projects.columns.state")}
          options={PROJECT_STATES.map((value) => ({ value, label: t(`projects.states.${value}`) }))}
          chosen={search.status}
          onChange={(status) => change({ status: PROJECT_STATES.filter((item) => status.includes(item)) })}
        />
        <FilterMenu
          several
          label={t("projects.columns.channel")}
          options={CHANNELS.map((value) => ({ value, label: t(`channels.${value}`) }))}
          chosen={search.channel}
          onChange={(channel) => change({ channel: CHANNELS.filter((item) => channel.includes(item)) })}
        />
        <FilterMenu
          label={t("projects.order")}
          options={ORDERS.map((value) => ({ value, label: t(`projects.orders.${value}`) }))}
          chosen={search.order === "newest" ? [] : [search.order]}
          onChange={([order]) => change({ order: ORDERS.find((item) => item === order) ?? "newest" })}
        />
        {search.user && (
          <Button
            variant="light"
            fw={500}
            rightSection={<IconX size={14} aria-hidden />}
            onClick={() => change({ user: null })}
          >
            {t("messages.ofUser")}
          </Button>
        )}
        {filtered && (
          <Button
            variant="subtle"
            color="gray"
            leftSection={<IconX size={14} />}
            onClick={() => change({ name: "", status: [], channel: [], user: null })}
          >
            {t("filters.clear")}
          </Button>
        )}
        <Total search={search} key={`total-${key}`} loaded={state.complete ? state.rows.length : null} />
      </Group>
      <BulkBar selection={selection} onChanged={() => void list.sync()} />
      <ProjectTable
        key={key}
        selection={selection}
        list={list}
        state={state}
        empty={
          filtered || !may("projects:write") ? <Empty text={t("projects.nothingFound")} /> : <FirstProject />
        }
      />
    </>
  );
}

/** How many projects there are; the rows say it once all are loaded. */
function Total({ search, loaded }: { search: Search; loaded: number | null }) {
  const { t } = useTranslation();
  const format = useFormat();
  const [where] = useState(() => whereOf(search));
  const counted = useLoaded(ProjectTotal, { where }, loaded !== null);
  const count = loaded ?? counted.data?.sendingProjects?.totalCount;
  return (
    <Text size="xs" c="dimmed" ms="auto" role="status">
      {count !== undefined && t("projects.total", { count, number: format.number(count) })}
    </Text>
  );
}

/** For somebody who has not made a project yet. */
function FirstProject() {
  const { t } = useTranslation();
  const { may } = useViewer();
  return (
    <Empty text={t("projects.first.title")} hint={t("projects.first.text")}>
      <List type="ordered" size="sm" spacing={4}>
        <List.Item>{t("projects.first.audience")}</List.Item>
        <List.Item>{t("projects.first.message")}</List.Item>
        <List.Item>{t("projects.first.check")}</List.Item>
      </List>
      <Group>
        <Button component={Link} to="/projects/new">
          {t("projects.new")}
        </Button>
        {may("messages:send") && (
          <Anchor component={Link} to="/messages?send=1" size="sm">
            {t("projects.first.single")}
          </Anchor>
        )}
      </Group>
    </Empty>
  );
}
