import { Button, Group, Stack, Text, TextInput } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { useTranslation } from "../../../frame/i18n";
import { RemoveButton } from "../../../frame/ui/dialogs/RemoveButton";
import { NO_TRANSLATION, type Translation } from "./draft";

const MOST = 30;

interface Props {
  value: readonly Translation[];
  error: ReactNode;
  onChange: (value: Translation[]) => void;
}

/** The name and the description of a topic in other languages. */
export function TranslationFields({ value, error, onChange }: Props) {
  const { t } = useTranslation();
  const set = (index: number, part: Partial<Translation>) =>
    onChange(value.map((one, place) => (place === index ? { ...one, ...part } : one)));
  return (
    <Stack gap={6} role="group" aria-label={t("topics.translations")}>
      <Text size="sm" fw={500}>
        {t("topics.translations")}
      </Text>
      {value.map((one, index) => {
        const of = { number: index + 1 };
        return (
          <Group key={index} gap={6} align="flex-start" wrap="wrap">
            <TextInput
              w={72}
              aria-label={t("topics.localeOf", of)}
              placeholder="de"
              maxLength={64}
              value={one.locale}
              onChange={(event) => set(index, { locale: event.currentTarget.value })}
            />
            <TextInput
              flex="1 1 8rem"
              aria-label={t("topics.nameOf", of)}
              placeholder={t("topics.name")}
              maxLength={100}
              value={one.name}
              onChange={(event) => set(index, { name: event.currentTarget.value })}
            />
            <TextInput
              flex="2 1 10rem"
              aria-label={t("topics.descriptionOf", of)}
              placeholder={t("topics.description")}
              maxLength={500}
              value={one.description}
              onChange={(event) => set(index, { description: event.currentTarget.value })}
            />
            <RemoveButton
              label={t("topics.removeLocale", of)}
              onClick={() => onChange(value.filter((_, place) => place !== index))}
            />
          </Group>
        );
      })}
      {error && (
        <Text size="xs" c="var(--mantine-color-error)" role="alert">
          {error}
        </Text>
      )}
      {value.length < MOST && (
        <Group>
          <Button
            variant="subtle"
            size="compact-sm"
            leftSection={<IconPlus size={14} />}
            onClick={() => onChange([...value, NO_TRANSLATION])}
          >
            {t("topics.addLocale")}
          </Button>
        </Group>
      )}
    </Stack>
  );
}
