import { Button, Group, Paper, Select, Stack, Text, Title } from "@mantine/core";
import { IconPencil } from "@tabler/icons-react";
import { useState } from "react";
import { useTranslation } from "../../../frame/i18n";
import { useViewer } from "../../../frame/session";
import { ProblemNotice } from "../../../frame/ui/page/ProblemNotice";
import type { OneTemplateQuery, VersionTextsFragment } from "../../../gql/graphql";
import classes from "../templates.module.css";
import { draftOf, emptyText, type Part } from "./draft";
import { Findings } from "./findings/Findings";
import { findingsOf } from "./findings/findings";
import { Preview } from "./Preview";
import { useNewDraft } from "./useNewDraft";
import { usePreview } from "./usePreview";

const PARTS = ["subject", "preheader", "html", "text"] as const satisfies readonly Part[];

interface Props {
  template: NonNullable<OneTemplateQuery["template"]>;
  version: VersionTextsFragment;
  onDraft: (version: VersionTextsFragment) => void;
}

/** A version that nobody changes any more: its texts as they were written, and the preview. */
export function Published({ template, version, onDraft }: Props) {
  const { t } = useTranslation();
  const may = useViewer().may("projects:write");
  const copy = useNewDraft(template.uuid, version, onDraft);
  const draft = draftOf(version);
  const [locale, setLocale] = useState(draft.defaultLocale);
  const text = draft.texts.find((one) => one.locale === locale) ?? draft.texts[0];
  const preview = usePreview({
    uuid: version.uuid,
    draft,
    text: text ?? emptyText(locale),
    dirty: false,
  });
  const { rendered } = preview;
  if (!text) return null;
  return (
    <div className={classes.two}>
      <Stack gap="sm">
        <Paper p="sm">
          <Group justify="space-between" mb="xs">
            <Title order={2}>
              {version.number == null
                ? t("templates.draft")
                : t("templates.numbered", { number: version.number })}
              {version.name && ` · ${version.name}`}
            </Title>
            {may && version.number != null && (
              <Button
                variant="default"
                leftSection={<IconPencil size={14} />}
                loading={copy.busy}
                onClick={() => void copy.make()}
              >
                {t("templates.newDraft")}
              </Button>
            )}
          </Group>
          {copy.problem && <ProblemNotice problem={copy.problem} />}
          <Stack gap="xs">
            {draft.texts.length > 1 && (
              <Select
                size="xs"
                maw={240}
                label={t("templates.language")}
                allowDeselect={false}
                value={text.locale}
                onChange={(value) => value && setLocale(value)}
                data={draft.texts.map((one) => one.locale)}
              />
            )}
            {PARTS.filter((part) => text[part]).map((part) => {
              const written = (
                <pre
                  className={classes.source}
                  dir={part === "html" ? "ltr" : "auto"}
                  tabIndex={0}
                  role="group"
                  aria-label={t(`templates.parts.${part}`)}
                >
                  {text[part]}
                </pre>
              );
              // The HTML of a letter is made of it; the preview shows it as readers see it.
              return part === "html" && text.source ? (
                <details key={part} className={classes.made}>
                  <summary>{t("templates.madeHtml")}</summary>
                  {written}
                </details>
              ) : (
                <div key={part}>
                  <Text size="xs" c="dimmed">
                    {t(`templates.parts.${part}`)}
                  </Text>
                  {written}
                </div>
              );
            })}
            {draft.layoutKey && (
              <Text size="sm">
                {t("templates.layout")}: {draft.layoutKey}
              </Text>
            )}
          </Stack>
        </Paper>
        <Findings
          text={text}
          findings={findingsOf(
            template.category,
            draft,
            text,
            rendered && { ...rendered, html: rendered.html ?? null },
          )}
        />
      </Stack>
      <Preview state={preview} />
    </div>
  );
}
