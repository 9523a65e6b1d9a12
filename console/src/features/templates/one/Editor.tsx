import { Alert, Button, Group, Paper, Select, Stack, Text, Textarea, TextInput, Title } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { useState } from "react";
import { useClient } from "urql";
import { elsewhere, problemOf, type Problem } from "../../../frame/api/errors";
import { useLoaded } from "../../../frame/api/useLoaded";
import { useTranslation } from "../../../frame/i18n";
import { useViewer } from "../../../frame/session";
import { Confirm } from "../../../frame/ui/dialogs/Confirm";
import { ProblemNotice } from "../../../frame/ui/page/ProblemNotice";
import type { OneTemplateQuery, VersionTextsFragment } from "../../../gql/graphql";
import classes from "../templates.module.css";
import { LayoutKeys, PublishVersion } from "./documents";
import {
  dataOf,
  emptyText,
  obstacle,
  withBegun,
  withLetter,
  withLocale,
  withoutLetter,
  withoutLocale,
  withWritten,
  type Part,
} from "./draft";
import { SettingsSlot } from "../builder/settingsSlot";
import { Findings } from "./findings/Findings";
import { findingsOf } from "./findings/findings";
import { Languages } from "./languages/Languages";
import { Preview } from "./Preview";
import { TextFields } from "./TextFields";
import { useEditing } from "./useEditing";
import { usePreview } from "./usePreview";

const PARTS = ["subject", "preheader", "html", "text"] as const satisfies readonly Part[];

/** With this width the preview stands beside the text; see templates.module.css. */
const WIDE = "(min-width: 62.01em)";

interface Props {
  template: NonNullable<OneTemplateQuery["template"]>;
  version: VersionTextsFragment | null;
  onSaved: (version: VersionTextsFragment) => void;
  onPublished: (version: VersionTextsFragment) => void;
}

/** Writes a draft: its languages and parts, with the preview beside them and what a reader would stumble over below. */
export function Editor({ template, version, onSaved, onPublished }: Props) {
  const { t, language } = useTranslation();
  const client = useClient();
  const editing = useEditing({ template: template.uuid, version, locale: language, onSaved });
  const { draft, dirty, problem, change } = editing;
  const [locale, setLocale] = useState(draft.defaultLocale);
  const [asking, setAsking] = useState<"publish" | "discard" | "language" | null>(null);
  const [refused, setRefused] = useState<Problem | null>(null);
  const isWide = useMediaQuery(WIDE);
  const [slot, setSlot] = useState<HTMLElement | null>(null);
  const index = Math.max(
    draft.texts.findIndex((text) => text.locale === locale),
    0,
  );
  const text = draft.texts[index] ?? emptyText(draft.defaultLocale);
  const preview = usePreview({ uuid: version?.uuid ?? null, draft, text, dirty });
  const findings = findingsOf(template.category, draft, text, preview.old ? null : rendered(preview));
  const missing = obstacle(draft);
  const errors: Partial<Record<Part, string>> = {};
  for (const part of PARTS) {
    const sentence = problem?.fields[`texts.${index}.${part}`];
    if (sentence) errors[part] = sentence;
  }
  const noticed = elsewhere(
    problem,
    PARTS.map((part) => `texts.${index}.${part}`),
  );
  const ask = (what: typeof asking) => {
    setRefused(null);
    setAsking(what);
  };

  async function confirmed() {
    if (asking === "discard") {
      editing.discard();
      setAsking(null);
    } else if (asking === "language") {
      change(withoutLocale(draft, text.locale));
      setAsking(null);
    } else {
      // What is published is what is on the page, so it is saved first.
      const saved = await editing.save();
      if (!saved) {
        setAsking(null);
        return;
      }
      const { data, error } = await client.mutation(PublishVersion, { id: saved.uuid }).toPromise();
      if (error) setRefused(problemOf(error));
      else if (data?.publishTemplateVersion) {
        setAsking(null);
        onPublished(data.publishTemplateVersion);
      }
    }
  }

  return (
    <div className={classes.two}>
      <Stack gap="sm" component="section" aria-label={t("templates.editor")}>
        <Paper p="sm">
          <Stack gap="sm">
            <Group justify="space-between" gap="xs">
              <Group gap={8}>
                <Title order={2}>{t("templates.draft")}</Title>
                <Text size="xs" c="dimmed" role="status">
                  {t(
                    dirty ? "templates.notSaved" : version ? "templates.savedDraft" : "templates.nothingYet",
                  )}
                </Text>
              </Group>
              <Group gap="xs">
                {dirty && (
                  <Button variant="subtle" color="gray" onClick={() => ask("discard")}>
                    {t("templates.discard")}
                  </Button>
                )}
                <Button
                  variant="default"
                  loading={editing.busy}
                  disabled={missing !== null || (!dirty && version !== null)}
                  onClick={() => void editing.save()}
                >
                  {t("templates.save")}
                </Button>
                <Button
                  data-publish
                  disabled={missing !== null || template.archivedAt != null || editing.busy}
                  onClick={() => ask("publish")}
                >
                  {t("templates.publish")}
                </Button>
              </Group>
            </Group>
            {missing && (
              <Text size="xs" c="dimmed">
                {t(`templates.obstacles.${missing}`)}
              </Text>
            )}
            {noticed && <ProblemNotice problem={noticed} />}
            <Languages
              draft={draft}
              locale={text.locale}
              onChoose={setLocale}
              onAdd={(added) => {
                change(withLocale(draft, added, text.locale));
                setLocale(added);
              }}
              onRemove={() => ask("language")}
              onDefault={() => change({ ...draft, defaultLocale: text.locale })}
            />
            <SettingsSlot value={isWide ? slot : null}>
              <TextFields
                key={text.locale}
                revision={`${editing.revision}`}
                category={template.category}
                text={text}
                testData={draft.testData}
                errors={errors}
                onChange={(part, value) => change(withWritten(draft, text, part, value))}
                onBegin={(begun) => change(withBegun(draft, text, begun))}
                onLetter={(source) =>
                  change(source ? withLetter(draft, text.locale, source) : withoutLetter(draft, text.locale))
                }
              />
            </SettingsSlot>
          </Stack>
        </Paper>
        <Findings findings={findings} text={text} />
        <Paper p="sm">
          <Stack gap="sm">
            <TextInput
              label={t("templates.builder.versionName")}
              description={t("templates.builder.versionNameHint")}
              maxLength={200}
              value={draft.name}
              onChange={(event) => change({ ...draft, name: event.currentTarget.value })}
            />
            <LayoutField
              own={template.key}
              value={draft.layoutKey}
              onChange={(layoutKey) => change({ ...draft, layoutKey })}
            />
            <Textarea
              label={t("templates.testData")}
              description={t("templates.testDataHint")}
              placeholder={'{"name": "Ada"}'}
              autosize
              minRows={3}
              maxRows={16}
              spellCheck={false}
              ff="monospace"
              value={draft.testData}
              error={dataOf(draft.testData) === null && t("templates.obstacles.testData")}
              onChange={(event) => change({ ...draft, testData: event.currentTarget.value })}
            />
          </Stack>
        </Paper>
      </Stack>
      <div className={classes.aside}>
        <div ref={setSlot} className={classes.slot} />
        <Preview state={preview} />
      </div>
      {asking && (
        <Confirm
          opened
          title={t(`templates.asks.${asking}.title`, {
            number: (template.version ?? 0) + 1,
            locale: text.locale,
          })}
          question={t(`templates.asks.${asking}.text`)}
          action={t(`templates.asks.${asking}.action`)}
          problem={refused}
          onConfirm={confirmed}
          onClose={() => setAsking(null)}
        >
          {asking === "publish" && findings.length > 0 && (
            <Alert color="orange">
              {t("templates.stillProblems", { count: findings.length, locale: text.locale })}
            </Alert>
          )}
        </Confirm>
      )}
    </div>
  );
}

function rendered({ rendered }: ReturnType<typeof usePreview>) {
  return rendered && { ...rendered, html: rendered.html ?? null };
}

interface LayoutProps {
  own: string;
  value: string;
  onChange: (key: string) => void;
}

/** Chooses the template whose content this one becomes. */
function LayoutField({ own, value, onChange }: LayoutProps) {
  const { t } = useTranslation();
  const { ownerUuid } = useViewer();
  const { data } = useLoaded(LayoutKeys, {
    where: { archived: { eq: false }, ownerId: { eq: ownerUuid } },
  });
  const all = data?.templates?.nodes ?? [];
  const choices = all
    .filter(({ key, version }) => key !== own && version !== null)
    .map(({ key, name }) => ({ value: key, label: `${name} (${key})` }));
  return (
    <Select
      label={t("templates.layout")}
      description={t("templates.layoutHint", { content: "{{ content }}" })}
      placeholder={t("templates.noLayout")}
      searchable
      clearable
      clearButtonProps={{ "aria-label": t("templates.noLayout") }}
      nothingFoundMessage={t("templates.nothingFound")}
      value={value || null}
      onChange={(key) => onChange(key ?? "")}
      data={
        value && !choices.some((choice) => choice.value === value)
          ? [{ value, label: value }, ...choices]
          : choices
      }
    />
  );
}
