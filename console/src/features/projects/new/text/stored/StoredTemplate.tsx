import { Alert, Anchor, Button, Group, Text } from "@mantine/core";
import { IconTemplate } from "@tabler/icons-react";
import { useState } from "react";
import { Link } from "react-router";
import { problemOf, type Problem } from "../../../../../frame/api/errors";
import { useLoaded } from "../../../../../frame/api/useLoaded";
import { useTranslation } from "../../../../../frame/i18n";
import { ProblemNotice } from "../../../../../frame/ui/page/ProblemNotice";
import type { TextSource } from "../../draft";
import type { DraftState } from "../../useDraft";
import { ChooseTemplate } from "./ChooseTemplate";
import { TemplateOfTexts } from "./documents";

/** Says which template the texts come from, and lets somebody choose one, take its newest version, or leave it. */
export function StoredTemplate({ state }: { state: DraftState }) {
  const { t } = useTranslation();
  const [choosing, setChoosing] = useState(false);
  const { source } = state;
  return (
    <>
      {source ? (
        <Source key={source.templateId} source={source} state={state} onChoose={() => setChoosing(true)} />
      ) : (
        <Group justify="flex-end" mb="xs">
          <Button
            variant="default"
            size="compact-sm"
            leftSection={<IconTemplate size={14} />}
            onClick={() => setChoosing(true)}
          >
            {t("stored.use")}
          </Button>
        </Group>
      )}
      {choosing && <ChooseTemplate state={state} onClose={() => setChoosing(false)} />}
    </>
  );
}

interface Props {
  source: TextSource;
  state: DraftState;
  onChoose: () => void;
}

function Source({ source, state, onChoose }: Props) {
  const { t } = useTranslation();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const { templateId, version, locale, languages, localeFrom } = source;
  const { data } = useLoaded(TemplateOfTexts, { id: templateId });
  const template = data?.template;
  const newest = template?.archivedAt == null ? (template?.version ?? version) : version;
  async function take(input: Parameters<DraftState["takeTexts"]>[0]) {
    setBusy(true);
    const error = await state.takeTexts(input);
    setBusy(false);
    setProblem(error ? problemOf(error) : null);
  }
  return (
    <Alert color="blue" mb="sm" icon={<IconTemplate size={18} />} role="status">
      <Text size="sm">
        {t("stored.from")}{" "}
        <Anchor component={Link} to={`/templates/${templateId}`} size="sm" c="inherit" underline="always">
          {template?.name ?? t("stored.template")}
        </Anchor>
        {`, ${t("stored.version", { version, locale: localeFrom ? t("stored.ownLanguage", { locales: languages.join(", ") }) : locale })}`}
      </Text>
      <Text size="xs">{t("stored.ownAfterEdit")}</Text>
      {problem && <ProblemNotice problem={problem} />}
      <Group gap="xs" mt={6}>
        {template && newest > version && (
          <Button
            size="compact-xs"
            loading={busy}
            onClick={() =>
              void take({
                templateKey: template.key,
                locale,
                localeFrom,
              })
            }
          >
            {t("stored.takeNewest", { version: newest })}
          </Button>
        )}
        <Button variant="default" size="compact-xs" onClick={onChoose}>
          {t("stored.another")}
        </Button>
        <Button
          variant="default"
          size="compact-xs"
          loading={busy}
          onClick={() => void take({ templateKey: null })}
        >
          {t("stored.remove")}
        </Button>
      </Group>
    </Alert>
  );
}
