import {
  Button,
  Group,
  Modal,
  NumberInput,
  Paper,
  SegmentedControl,
  Select,
  Stack,
  Text,
  Textarea,
} from "@mantine/core";
import { useState } from "react";
import { useClient } from "urql";
import { useRequestForm } from "../../../../frame/form/useRequestForm";
import { useTranslation } from "../../../../frame/i18n";
import { useFocusBack } from "../../../../frame/ui/dialogs/useFocusBack";
import { useLeaving } from "../../../../frame/ui/dialogs/useLeaving";
import { ProblemNotice } from "../../../../frame/ui/page/ProblemNotice";
import { useFormat } from "../../../../frame/values/format";
import { textWithMarks } from "../../../../frame/values/marks";
import type { WriteTextsMutation } from "../../../../gql/graphql";
import { WriteTexts } from "../documents";
import classes from "../new.module.css";

const NOT_CONFIGURED = "ai_not_configured";
const TONES = ["none", "friendly", "formal", "playful", "brief"] as const;
const LANGUAGES = ["ar", "de", "en", "es", "fr", "it", "kk", "pl", "pt", "ru", "tr", "uk", "zh"] as const;
const COUNTS = ["1", "3", "5"] as const;
const LONGEST = 10_000;
const FIELDS = ["prompt", "maxLength"] as const;
const EMPTY = {
  prompt: "",
  tone: "none" as (typeof TONES)[number],
  language: null as string | null,
  maxLength: "" as number | string,
  count: "1",
};

type Written = NonNullable<WriteTextsMutation["generateText"]>;

interface Props {
  /** the project that the model is told about, if it exists already */
  project: string | null;
  /** whether there is a text that the chosen one replaces */
  hasText: boolean;
  onUse: (text: string) => void;
  onClose: () => void;
}

/** Asks a language model for texts; one of them can be taken into the project. */
export function WriteDialog({ project, hasText, onUse, onClose }: Props) {
  const { t, language: shown } = useTranslation();
  const format = useFormat();
  const client = useClient();
  useFocusBack();
  const form = useRequestForm({ initialValues: EMPTY, shown: () => FIELDS });
  const { prompt } = form.getValues();
  const [written, setWritten] = useState<Written | null>(null);
  const names = new Intl.DisplayNames(shown, { type: "language" });

  const write = form.sends(async ({ prompt, tone, language, maxLength, count }) => {
    const input = {
      prompt: prompt.trim(),
      sendingProjectUuid: project,
      tone: tone === "none" ? null : tone,
      language,
      maxLength: typeof maxLength === "number" && maxLength > 0 ? maxLength : null,
      variants: Number(count),
    };
    const { data, error } = await client.mutation(WriteTexts, { input }).toPromise();
    if (!data?.generateText) return error;
    setWritten(data.generateText);
  });

  const { leave, question } = useLeaving(() => form.isDirty() || written !== null, onClose);
  const isOff = form.refused?.code === NOT_CONFIGURED;
  return (
    <Modal
      opened
      onClose={leave}
      title={t("writing.title")}
      size="lg"
      closeButtonProps={{ "aria-label": t("common.close") }}
    >
      <form onSubmit={write} noValidate>
        <Stack gap="sm">
          <Text size="sm" c="dimmed">
            {t("writing.about")}
          </Text>
          <Textarea
            data-autofocus
            label={t("writing.prompt")}
            description={t("writing.promptHint")}
            rows={3}
            maxLength={8000}
            {...form.getInputProps("prompt")}
          />
          <div className={classes.writing}>
            <Select
              label={t("writing.tone")}
              allowDeselect={false}
              {...form.getInputProps("tone")}
              data={TONES.map((value) => ({ value, label: t(`writing.tones.${value}`) }))}
            />
            <Select
              label={t("writing.language")}
              placeholder={t("writing.asPrompt")}
              clearable
              clearButtonProps={{ "aria-label": t("writing.asPrompt") }}
              {...form.getInputProps("language")}
              data={LANGUAGES.map((value) => ({ value, label: names.of(value) ?? value }))}
            />
            <NumberInput
              label={t("writing.longest")}
              min={1}
              max={LONGEST}
              allowDecimal={false}
              hideControls
              {...form.getInputProps("maxLength")}
            />
          </div>
          {question}
          <Group justify="space-between">
            <Group gap="xs">
              <Text size="sm">{t("writing.variants")}</Text>
              <SegmentedControl
                size="xs"
                aria-label={t("writing.variants")}
                {...form.getInputProps("count")}
                data={[...COUNTS]}
              />
            </Group>
            <Group gap="xs" ms="auto">
              <Button variant="default" onClick={onClose}>
                {t("common.close")}
              </Button>
              <Button
                type="submit"
                variant={written ? "default" : "filled"}
                loading={form.busy}
                disabled={!prompt.trim() || isOff}
                title={!prompt.trim() || isOff ? t("common.fillForm") : undefined}
              >
                {t(written ? "writing.again" : "writing.submit")}
              </Button>
            </Group>
          </Group>
          {form.problem && <ProblemNotice problem={form.problem} />}
          {written && (
            <Stack gap="xs" role="status">
              {written.texts.map((text, index) => (
                <Paper key={index} p="sm">
                  <pre className={classes.written}>{textWithMarks(text)}</pre>
                  <Group justify="flex-end" mt="xs">
                    <Button
                      size="compact-sm"
                      aria-label={t("writing.useOf", { number: index + 1 })}
                      onClick={() => onUse(text)}
                    >
                      {t("writing.use")}
                    </Button>
                  </Group>
                </Paper>
              ))}
              <Text size="xs" c="dimmed">
                {hasText && `${t("writing.replaces")} `}
                {t("writing.usage", {
                  model: written.model,
                  count: written.usage.totalTokens,
                  number: format.number(written.usage.totalTokens),
                })}
              </Text>
            </Stack>
          )}
        </Stack>
      </form>
    </Modal>
  );
}
