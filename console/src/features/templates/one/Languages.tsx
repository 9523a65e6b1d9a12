import { Button, Group, Stack, Tabs, Text, TextInput } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useState } from "react";
import { useTranslation } from "../../../frame/i18n";
import classes from "../templates.module.css";
import { isLocale, type VersionDraft } from "./draft";

const MOST = 20;

interface Props {
  draft: VersionDraft;
  locale: string;
  onChoose: (locale: string) => void;
  onAdd: (locale: string) => void;
  onRemove: () => void;
  onDefault: () => void;
}

/** The languages of a draft: one is written at a time, and a new one begins with the text of it. */
export function Languages({ draft, locale, onChoose, onAdd, onRemove, onDefault }: Props) {
  const { t, language } = useTranslation();
  const [adding, setAdding] = useState(false);
  const [tag, setTag] = useState("");
  const typed = tag.trim().replace(/_/g, "-");
  const taken = draft.texts.some((text) => text.locale.toLowerCase() === typed.toLowerCase());
  const fits = isLocale(typed) && !taken;
  const isDefault = locale === draft.defaultLocale;
  function add() {
    if (!fits) return;
    onAdd(typed);
    setTag("");
    setAdding(false);
  }
  return (
    <Stack gap="xs">
      <Group gap="xs" justify="space-between" align="center">
        <Tabs value={locale} onChange={(value) => value && onChoose(value)} className={classes.languages}>
          <Tabs.List aria-label={t("templates.languages")}>
            {draft.texts.map((text) => (
              <Tabs.Tab key={text.locale} value={text.locale} title={nameOf(text.locale, language)}>
                {text.locale}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          {draft.texts.map((text) => (
            <Tabs.Panel key={text.locale} value={text.locale} pt={6}>
              <Text size="xs" c="dimmed">
                {nameOf(text.locale, language)}
                {text.locale === draft.defaultLocale && ` · ${t("templates.default")}`}
              </Text>
            </Tabs.Panel>
          ))}
        </Tabs>
        <Group gap={6}>
          {!isDefault && (
            <Button variant="subtle" size="compact-xs" onClick={onDefault}>
              {t("templates.makeDefault")}
            </Button>
          )}
          {draft.texts.length > 1 && (
            <Button variant="subtle" color="gray" size="compact-xs" onClick={onRemove}>
              {t("templates.removeLanguage", { locale })}
            </Button>
          )}
          {!adding && draft.texts.length < MOST && (
            <Button
              variant="subtle"
              size="compact-xs"
              leftSection={<IconPlus size={12} />}
              onClick={() => setAdding(true)}
            >
              {t("templates.addLanguage")}
            </Button>
          )}
        </Group>
      </Group>
      {adding && (
        <Group gap="xs" align="flex-end">
          <TextInput
            autoFocus
            size="xs"
            label={t("templates.languageTag")}
            description={t("templates.languageHint", { locale })}
            placeholder="pt-BR"
            maxLength={64}
            value={tag}
            error={typed !== "" && !fits && t(taken ? "templates.hasLanguage" : "templates.badLanguage")}
            onChange={(event) => setTag(event.currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key === "Enter") add();
              if (event.key === "Escape") setAdding(false);
            }}
          />
          <Button size="xs" variant="default" disabled={!fits} onClick={add}>
            {t("templates.addTag")}
          </Button>
        </Group>
      )}
    </Stack>
  );
}

/** Returns the name of a language for people; the tag, if the browser knows none. */
function nameOf(locale: string, language: string): string {
  try {
    return new Intl.DisplayNames(language, { type: "language" }).of(locale) ?? locale;
  } catch {
    return locale;
  }
}
