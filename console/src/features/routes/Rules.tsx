import { Button, Group, Stack, Title } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useState } from "react";
import { useTranslation } from "../../frame/i18n";
import { FilterBar } from "../../frame/list/FilterBar";
import { FilterMenu } from "../../frame/list/FilterMenu";
import { LoadMore } from "../../frame/list/LoadMore";
import { useSearch } from "../../frame/search/useSearch";
import { Question } from "../../frame/ui/dialogs/Question";
import { ProblemNotice } from "../../frame/ui/page/ProblemNotice";
import { useFormat } from "../../frame/values/format";
import { DeleteRouteRule } from "./documents";
import type { Route } from "./RouteTable";
import { RuleDialog } from "./RuleDialog";
import { RuleTable } from "./RuleTable";
import { parseSearch, searchParams } from "./search";
import { useRouteRules, type RuleRow } from "./useRouteRules";

interface Props {
  /** the configured routes of SMS; undefined until they are known */
  routes: readonly Route[] | undefined;
  /** receives the notice to show afterwards */
  onChanged: (notice: string) => void;
}

/** The rules of routes, and the dialogs that add, change and delete one. */
export function Rules({ routes, onChanged }: Props) {
  const { t } = useTranslation();
  const format = useFormat();
  const { search, change, open: adding, setOpen: setAdding } = useSearch(parseSearch, searchParams, "add");
  const { list, state } = useRouteRules(search);
  const [opened, setOpened] = useState<{ what: "edit" | "remove"; row: RuleRow } | null>(null);
  const filtered = search.route.length > 0;
  const names = [...new Set([...(routes ?? []).map(({ name }) => name), ...search.route])];
  const close = () => {
    setOpened(null);
    if (adding) setAdding(false);
  };
  const done = (notice: string) => {
    close();
    void list.reload();
    onChanged(notice);
  };
  return (
    <Stack gap={8}>
      <Group justify="space-between" gap="xs">
        <Title order={2}>{t("routes.rules")}</Title>
        <Button leftSection={<IconPlus size={14} />} onClick={() => setAdding(true)}>
          {t("routes.add")}
        </Button>
      </Group>
      <FilterBar
        filtered={filtered}
        onClear={() => change({ route: [] })}
        total={
          state.total === null
            ? null
            : t("routes.total", { count: state.total, number: format.number(state.total) })
        }
      >
        <FilterMenu
          several
          label={t("routes.route")}
          options={names.map((name) => ({ value: name, label: name }))}
          chosen={[...search.route]}
          onChange={(route) => change({ route })}
        />
      </FilterBar>
      {state.problem && <ProblemNotice problem={state.problem} onRetry={() => void list.retry()} />}
      <RuleTable
        state={state}
        filtered={filtered}
        routes={routes}
        onAdd={() => setAdding(true)}
        onEdit={(row) => setOpened({ what: "edit", row })}
        onRemove={(row) => setOpened({ what: "remove", row })}
      />
      <LoadMore label={t("routes.more")} list={list} state={state} />
      {routes && (adding || opened?.what === "edit") && (
        <RuleDialog
          row={opened?.row ?? null}
          routes={routes}
          onClose={close}
          onDone={() => done(t(opened ? "routes.changed" : "routes.added"))}
        />
      )}
      {opened?.what === "remove" && (
        <Question
          title={t("routes.removeTitle")}
          question={t("routes.removeText", {
            numbers: opened.row.prefix ? `+${opened.row.prefix}` : t("routes.allNumbers"),
            route: opened.row.route,
          })}
          action={t("routes.remove")}
          mutation={DeleteRouteRule}
          variables={{ id: opened.row.uuid }}
          onDone={() => done(t("routes.removed"))}
          onClose={close}
        />
      )}
    </Stack>
  );
}
