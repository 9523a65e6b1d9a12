import { Autocomplete, Button, Group, Stack, Tabs, Text } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useMemo, useState } from "react";
import { useTranslation } from "../../../../frame/i18n";
import classes from "../../templates.module.css";
import type { VersionDraft } from "../draft";
import { languagesFor, nameOf, tagOf } from "./languages";

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
  const [typed, setTyped] = useState("");
  const [left, setLeft] = useState(false);
  const languages = useMemo(() => languagesFor(language), [language]);
  const chosen = tagOf(typed, languages);
  const has = (tag: string) => draft.texts.some((text) => text.locale.toLowerCase() === tag.toLowerCase());
  const taken = chosen !== null && has(chosen);
  const offered = languages.filter(({ tag }) => !has(tag));
  const isDefault = locale === draft.defaultLocale;
  function add() {
    if (chosen === null || taken) return;
    onAdd(chosen);
    setTyped("");
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
          <Autocomplete
            autoFocus
            size="xs"
            label={t("templates.language")}
            description={t("templates.languageHint", { locale: nameOf(locale, language) })}
            placeholder="pt-BR"
            maxLength={64}
            data={offered.map(({ label }) => label)}
            filter={({ search }) =>
              offered
                .filter(({ label, words }) => {
                  const text = search.trim().toLowerCase();
                  return label.toLowerCase().startsWith(text) || words.some((word) => word.startsWith(text));
                })
                .map(({ label }) => ({ value: label, label }))
            }
            comboboxProps={{ width: "max-content", position: "bottom-start" }}
            maxDropdownHeight={220}
            value={typed}
            error={
              (taken && t("templates.hasLanguage")) || (left && chosen === null && t("templates.badLanguage"))
            }
            onChange={(value) => {
              setTyped(value);
              setLeft(false);
            }}
            // Half of a name is no mistake yet.
            onBlur={() => setLeft(typed.trim() !== "")}
            onKeyDown={(event) => {
              // With an option under the arrow keys, Enter chooses it.
              const chooses = event.currentTarget.getAttribute("aria-activedescendant");
              if (event.key === "Enter" && !chooses) add();
              if (event.key === "Escape") setAdding(false);
            }}
          />
          <Button size="xs" variant="default" disabled={chosen === null || taken} onClick={add}>
            {t("templates.addTag")}
          </Button>
        </Group>
      )}
    </Stack>
  );
}
