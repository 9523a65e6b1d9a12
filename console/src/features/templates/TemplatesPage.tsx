import "./styles";
import { Button, Stack } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useNavigate } from "react-router";
import { useTranslation } from "../../frame/i18n";
import { FilterBar } from "../../frame/list/FilterBar";
import { FilterMenu } from "../../frame/list/FilterMenu";
import { LoadMore } from "../../frame/list/LoadMore";
import { useSearch } from "../../frame/search/useSearch";
import { useViewer } from "../../frame/session";
import { PageHead } from "../../frame/ui/page/PageHead";
import { ProblemNotice } from "../../frame/ui/page/ProblemNotice";
import { usePageTitle } from "../../frame/ui/page/usePageTitle";
import { SearchField } from "../../frame/ui/SearchField";
import { useFormat } from "../../frame/values/format";
import { isFiltered, matching, parseSearch, searchParams } from "./search";
import { TemplateDialog } from "./TemplateDialog";
import { TemplateTable } from "./TemplateTable";
import { useTemplates } from "./useTemplates";

/** Texts with a key, which messages and projects are made from. */
export default function TemplatesPage() {
  const { t } = useTranslation();
  const format = useFormat();
  const navigate = useNavigate();
  const { search, params, change, open, setOpen } = useSearch(parseSearch, searchParams, "add");
  const { list, state } = useTemplates(search);
  const may = useViewer().may("projects:write");
  const filtered = isFiltered(search);
  const rows = matching(state.rows, search.text);
  usePageTitle(t("templates.title"));
  return (
    <Stack gap={8}>
      <PageHead title={t("nav.templates")} about={t("templates.about")}>
        {may && (
          <Button leftSection={<IconPlus size={14} />} onClick={() => setOpen(true)}>
            {t("templates.add")}
          </Button>
        )}
      </PageHead>
      <FilterBar
        filtered={filtered}
        onClear={() => change({ text: "", archived: false })}
        total={
          state.total === null || search.text.trim()
            ? null
            : t("templates.total", { count: state.total, number: format.number(state.total) })
        }
      >
        <SearchField
          label={t("templates.search")}
          value={search.text}
          onChange={(text) => change({ text })}
        />
        <FilterMenu
          label={t("templates.state")}
          options={(["used", "archived"] as const).map((value) => ({
            value,
            label: t(`templates.states.${value}`),
          }))}
          chosen={search.archived ? ["archived"] : []}
          onChange={(chosen) => change({ archived: chosen.includes("archived") })}
        />
      </FilterBar>
      {state.problem && <ProblemNotice problem={state.problem} onRetry={() => void list.retry()} />}
      <TemplateTable rows={rows} state={state} filtered={filtered} onAdd={() => setOpen(true)} />
      <LoadMore label={t("templates.more")} list={list} state={state} />
      {open && may && (
        <TemplateDialog
          onClose={() => setOpen(false)}
          onSaved={(uuid) => {
            void list.reload();
            // Whoever comes from a project goes back to it.
            const project = params.get("for");
            void navigate(`/templates/${uuid}${project ? `?for=${encodeURIComponent(project)}` : ""}`, {
              replace: true,
            });
          }}
        />
      )}
    </Stack>
  );
}
