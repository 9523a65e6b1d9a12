import { Button, Group, Paper, Stack, Switch, Text, TextInput, Title } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useTranslation } from "../../../../frame/i18n";
import type { ProjectChoicesQuery } from "../../../../gql/graphql";
import type { DraftState } from "../useDraft";

interface Props {
  state: DraftState;
  choices: ProjectChoicesQuery | undefined;
}

const MOST = 20;

/** A template that Meta has approved, with which WhatsApp Cloud may begin a conversation. */
export function TemplateFields({ state, choices }: Props) {
  const { t } = useTranslation();
  const { draft, set, problem } = state;
  const { template } = draft;
  const cloud = (choices?.sourceAccounts?.nodes ?? []).some(
    ({ uuid, messengerAccount }) =>
      draft.accountUuids.includes(uuid) && messengerAccount?.driver === "whatsapp_cloud",
  );
  if (!cloud && !template) return null;
  const params = template?.params ?? [];
  const change = (part: Partial<NonNullable<typeof template>>) =>
    set({ template: { name: "", language: "", params: [], ...template, ...part } });
  return (
    <Paper p="sm">
      <Title order={2} mb="xs">
        {t("making.template")}
      </Title>
      <Switch
        label={t("making.useTemplate")}
        description={t("making.templateHint")}
        checked={template !== null}
        onChange={(event) =>
          set({ template: event.currentTarget.checked ? { name: "", language: "en", params: [] } : null })
        }
      />
      {template && (
        <Stack gap="sm" mt="sm">
          <Group align="flex-start" gap="sm" grow preventGrowOverflow={false}>
            <TextInput
              label={t("making.templateName")}
              description={t("making.templateNameHint")}
              value={template.name}
              error={
                problem?.fields["template.name"] ??
                (template.name && !/^[a-z0-9_]+$/.test(template.name)
                  ? t("making.templateNameBad")
                  : undefined)
              }
              onChange={(event) => change({ name: event.currentTarget.value.trim() })}
            />
            <TextInput
              label={t("making.templateLanguage")}
              description={t("making.templateLanguageHint")}
              value={template.language}
              error={problem?.fields["template.language"]}
              onChange={(event) => change({ language: event.currentTarget.value.trim() })}
            />
          </Group>
          {params.map((param, index) => (
            <TextInput
              key={index}
              label={t("making.templateParam", { number: index + 1 })}
              value={param}
              error={problem?.fields[`template.params.${index}`]}
              onChange={(event) => {
                const value = event.currentTarget.value;
                change({ params: params.map((item, position) => (position === index ? value : item)) });
              }}
            />
          ))}
          <Group gap={6}>
            <Button
              variant="subtle"
              size="compact-xs"
              leftSection={<IconPlus size={12} />}
              disabled={params.length >= MOST}
              onClick={() => change({ params: [...params, ""] })}
            >
              {t("making.addParam")}
            </Button>
            {params.length > 0 && (
              <Button
                variant="subtle"
                color="gray"
                size="compact-xs"
                onClick={() => change({ params: params.slice(0, -1) })}
              >
                {t("making.removeParam")}
              </Button>
            )}
          </Group>
          <Text size="xs" c="dimmed">
            {t("making.liquidHint", { example: "{{ name }}" })}
          </Text>
        </Stack>
      )}
    </Paper>
  );
}
