import { Button, Select, Text } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useEffect, useRef } from "react";
import { Link } from "react-router";
import { useRequestForm } from "../../../../../frame/form/useRequestForm";
import { useTranslation } from "../../../../../frame/i18n";
import { usePagedQuery } from "../../../../../frame/list/PagedList";
import { useViewer } from "../../../../../frame/session";
import { FormDialog } from "../../../../../frame/ui/dialogs/FormDialog";
import { ProblemNotice } from "../../../../../frame/ui/page/ProblemNotice";
import { hasText } from "../../draft";
import type { DraftState } from "../../useDraft";
import { StoredTemplates } from "./documents";

/** The choice of the text in each recipient's own language. No language has this tag. */
const OWN = "*";

interface Props {
  state: DraftState;
  onClose: () => void;
}

/** Chooses the template and the language that the texts of a project come from. */
export function ChooseTemplate({ state, onClose }: Props) {
  const { t } = useTranslation();
  const { templates, loading, problem, retry } = useTemplates();
  const form = useRequestForm({ initialValues: { template: "", locale: "" } });
  const { template: key, locale } = form.getValues();
  const chosen = templates.find((template) => template.key === key)?.versions?.nodes[0];
  const locales = chosen?.locales ?? [];
  const none = !loading && !problem && templates.length === 0;
  // The field that had the focus is gone then.
  const add = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    if (none) add.current?.focus();
  }, [none]);
  const own = { value: OWN, label: t("stored.ownLanguage", { locales: locales.join(", ") }) };

  const take = form.sends(async ({ template, locale }) => {
    const error = await state.takeTexts({
      templateKey: template,
      locale: locale === OWN ? (chosen?.defaultLocale ?? null) : locale,
      localeFrom: locale === OWN ? "locale" : null,
    });
    if (error) return error;
    onClose();
  });

  return (
    <FormDialog
      title={t("stored.use")}
      form={form}
      onSubmit={take}
      action={t("stored.take")}
      disabled={none ? t("stored.publishFirst") : !chosen}
      onClose={onClose}
    >
      {problem && <ProblemNotice problem={problem} onRetry={retry} />}
      {none ? (
        <Text size="sm">{t("stored.none")}</Text>
      ) : (
        <Select
          data-autofocus
          label={t("stored.template")}
          withAsterisk
          description={t("stored.hint")}
          searchable
          // The list would lie over the button below it.
          openOnFocus={false}
          allowDeselect={false}
          nothingFoundMessage={t(loading ? "common.loading" : "stored.noMatch")}
          data={templates.map(({ key, name }) => ({ value: key, label: `${name} (${key})` }))}
          {...form.getInputProps("template")}
          onChange={(value: string | null) => {
            form.setFieldValue("template", value ?? "");
            const version = templates.find((template) => template.key === value)?.versions?.nodes[0];
            form.setFieldValue(
              "locale",
              (version?.locales ?? []).length > 1 ? OWN : (version?.defaultLocale ?? ""),
            );
          }}
        />
      )}
      {!loading && (
        <Button
          ref={add}
          data-autofocus={none || undefined}
          variant={none ? "filled" : "default"}
          w="fit-content"
          component={Link}
          to={`/templates?add=1${state.project ? `&for=${state.project.uuid}` : ""}`}
          leftSection={<IconPlus size={14} />}
          onClick={() => void state.save()}
        >
          {t("stored.new")}
        </Button>
      )}
      {!none && (
        <>
          <Select
            label={t("stored.language")}
            allowDeselect={false}
            disabled={!chosen}
            description={
              locale === OWN ? t("stored.otherwise", { locale: chosen?.defaultLocale ?? "" }) : undefined
            }
            data={[
              ...(locales.length > 1 ? [own] : []),
              ...locales.map((value) => ({ value, label: value })),
            ]}
            {...form.getInputProps("locale")}
            value={locale || null}
          />
          {hasText(state.draft) && (
            <Text size="sm" c="dimmed">
              {t("stored.replaces")}
            </Text>
          )}
        </>
      )}
    </FormDialog>
  );
}

/** The published templates that are not archived: all of them, of at most a thousand. */
function useTemplates() {
  const { ownerUuid } = useViewer();
  const { list, state } = usePagedQuery(
    `stored-templates?${ownerUuid}`,
    StoredTemplates,
    (after) => ({ after, where: { archived: { eq: false }, ownerId: { eq: ownerUuid } } }),
    (data) => data.templates,
    { pollWith: "update" },
  );
  const { rows, complete, loading, problem } = state;
  const reads = !complete && !loading && !problem && rows.length > 0;
  useEffect(() => {
    if (reads) void list.more();
  }, [reads, rows.length, list]);
  return {
    templates: rows.filter(({ version }) => version != null),
    loading: !complete,
    problem,
    retry: () => void list.retry(),
  };
}
