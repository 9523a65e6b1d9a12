import { Stack, Tabs, Text } from "@mantine/core";
import { useContactVariables } from "../../../frame/contacts/usePeople";
import { useTranslation } from "../../../frame/i18n";
import { LiquidEditor } from "../../../frame/liquid/LiquidEditor";
import { LINKS } from "../../../frame/liquid/unsubscribe";
import { useInsertion } from "../../../frame/liquid/useInsertion";
import { VariableBar } from "../../../frame/liquid/VariableBar";
import type { MessageCategory } from "../../../gql/graphql";
import { dataOf, type Part, type TextDraft } from "./draft";

interface Props {
  category: MessageCategory;
  text: TextDraft;
  testData: string;
  /** sentences of the server about a part */
  errors: Readonly<Partial<Record<Part, string>>>;
  onChange: (part: Part, value: string) => void;
}

/** The parts of a text in one language, and the variables that can be put into them. */
export function TextFields({ category, text, testData, errors, onChange }: Props) {
  const { t } = useTranslation();
  const { field, setField, insert, propsOf } = useInsertion<Part>("html", text, onChange);
  const ofContacts = useContactVariables();
  const names = new Set([
    ...Object.keys(dataOf(testData) ?? {}),
    ...ofContacts.map(({ name }) => name),
    ...(category === "promotional" ? LINKS : []),
  ]);
  const variables = [...names].map((name) => ({
    name,
    label: ofContacts.find((one) => one.name === name)?.label ?? null,
  }));
  const editor = (part: Part) => (
    <LiquidEditor
      label={t(`templates.parts.${part}`)}
      {...((part === "preheader" || part === "subject") && {
        description: t(`templates.hints.${part}`),
        short: true,
      })}
      code={part === "html"}
      value={text[part]}
      {...(errors[part] && { error: errors[part] })}
      onChange={(value) => onChange(part, value)}
      {...propsOf(part)}
    />
  );
  return (
    <Stack gap="sm">
      {editor("subject")}
      {editor("preheader")}
      <Tabs
        value={field === "text" ? "text" : "html"}
        onChange={(value) => setField(value === "text" ? "text" : "html")}
      >
        <Tabs.List mb="xs">
          <Tabs.Tab value="html">HTML</Tabs.Tab>
          <Tabs.Tab value="text">{t("templates.parts.text")}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="html">{editor("html")}</Tabs.Panel>
        <Tabs.Panel value="text">{editor("text")}</Tabs.Panel>
      </Tabs>
      <VariableBar label={t("templates.variables")} variables={variables} onInsert={insert} />
      <Text size="xs" c="dimmed">
        {t("templates.liquidHint", {
          example: '{{ name | default: "…" }}',
          partial: "{% render 'footer' %}",
        })}
      </Text>
    </Stack>
  );
}
