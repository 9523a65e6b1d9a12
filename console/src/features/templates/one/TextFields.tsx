import { Alert, Button, Group, Loader, Stack, Tabs, Text } from "@mantine/core";
import { Suspense, useContext, useState } from "react";
import { lazyFile } from "../../../frame/api/consoleFiles";
import { useContactVariables } from "../../../frame/contacts/usePeople";
import { useTranslation } from "../../../frame/i18n";
import { LiquidEditor } from "../../../frame/liquid/LiquidEditor";
import { LINKS } from "../../../frame/liquid/unsubscribe";
import { useInsertion } from "../../../frame/liquid/useInsertion";
import { VariableBar } from "../../../frame/liquid/VariableBar";
import type { MessageCategory } from "../../../gql/graphql";
import type { Begun } from "../builder/LetterTab";
import { SettingsSlot } from "../builder/settingsSlot";
import classes from "../templates.module.css";
import { dataOf, followsLetter, type Part, type TextDraft } from "./draft";
import { variablesOf } from "./variables";

const LetterTab = lazyFile(() => import("../builder/LetterTab"));

const TABS = ["letter", "html", "text"] as const;
type TabName = (typeof TABS)[number];

interface Props {
  category: MessageCategory;
  text: TextDraft;
  testData: string;
  /** which draft it is: the letter of another one is opened anew */
  revision: string;
  /** sentences of the server about a part */
  errors: Readonly<Partial<Record<Part, string>>>;
  onChange: (part: Part, value: string) => void;
  onBegin: (begun: Begun) => void;
  /** empty: the HTML is written by hand from now on */
  onLetter: (source: string) => void;
}

function firstTab({ source, html, text }: TextDraft): TabName {
  if (source || (!html.trim() && !text.trim())) return "letter";
  return html.trim() ? "html" : "text";
}

/** The parts of a text in one language, and the variables that can be put into them. */
export function TextFields(props: Props) {
  const { category, text, testData, revision, errors, onChange, onBegin, onLetter } = props;
  const { t } = useTranslation();
  const slot = useContext(SettingsSlot);
  const [tab, setTab] = useState<TabName>(() => firstTab(text));
  const { field, setField, insert, propsOf } = useInsertion<Part>(
    tab === "letter" ? "subject" : tab,
    text,
    onChange,
  );
  const ofContacts = useContactVariables();
  const variables = variablesOf(
    ofContacts,
    category === "promotional" ? LINKS : [],
    Object.keys(dataOf(testData) ?? {}),
    t("templates.inTestData"),
  );
  // The letter has its own variables, and the HTML that is made of it takes none.
  const takesVariables = field !== "html" || !text.source;
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
        value={tab}
        onChange={(value) => {
          const next = TABS.find((one) => one === value) ?? "letter";
          setTab(next);
          setField(next === "letter" ? "subject" : next);
        }}
      >
        <Tabs.List mb="xs">
          <Tabs.Tab value="letter">{t("templates.builder.tab")}</Tabs.Tab>
          <Tabs.Tab value="html">HTML</Tabs.Tab>
          <Tabs.Tab value="text">{t("templates.parts.text")}</Tabs.Tab>
        </Tabs.List>
        {/* It stays while another tab is shown, with all that can be undone. */}
        <Tabs.Panel value="letter" keepMounted>
          <SettingsSlot value={tab === "letter" ? slot : null}>
            <Suspense fallback={<Loader size="sm" aria-label={t("common.loading")} />}>
              <LetterTab
                source={text.source}
                revision={`${revision} ${text.source !== ""}`}
                locale={text.locale}
                hasHtml={text.html.trim() !== ""}
                variables={variables}
                onBegin={onBegin}
                onChange={onLetter}
              />
            </Suspense>
          </SettingsSlot>
          {errors.html && text.source && <Alert color="red">{errors.html}</Alert>}
        </Tabs.Panel>
        <Tabs.Panel value="html">
          {text.source ? <MadeHtml html={text.html} onByHand={() => onLetter("")} /> : editor("html")}
        </Tabs.Panel>
        <Tabs.Panel value="text">
          {editor("text")}
          {text.source && <OfLetter text={text} onRemake={() => onChange("text", "")} />}
        </Tabs.Panel>
      </Tabs>
      {takesVariables && (
        <>
          <VariableBar label={t("templates.variables")} variables={variables} onInsert={insert} />
          <Text size="xs" c="dimmed">
            {t("templates.liquidHint", {
              example: '{{ name | default: "…" }}',
              partial: "{% render 'footer' %}",
            })}
          </Text>
        </>
      )}
    </Stack>
  );
}

/** The HTML that is made from the letter. */
function MadeHtml({ html, onByHand }: { html: string; onByHand: () => void }) {
  const { t } = useTranslation();
  return (
    <Stack gap="xs">
      <Group justify="space-between" gap="xs">
        <Text size="sm" flex={1} miw={200}>
          {t("templates.builder.made")}
        </Text>
        <Button variant="default" size="xs" onClick={onByHand}>
          {t("templates.builder.byHand")}
        </Button>
      </Group>
      <pre className={classes.source} tabIndex={0} role="group" aria-label={t("templates.parts.html")}>
        {html}
      </pre>
    </Stack>
  );
}

/** Whether the plain text follows the letter. */
function OfLetter({ text, onRemake }: { text: TextDraft; onRemake: () => void }) {
  const { t } = useTranslation();
  const follows = followsLetter(text);
  return (
    <Group gap="xs" mt={4}>
      <Text size="xs" c="dimmed">
        {t(follows ? "templates.builder.followsText" : "templates.builder.ownText")}
      </Text>
      {!follows && (
        <Button variant="subtle" size="compact-xs" onClick={onRemake}>
          {t("templates.builder.remakeText")}
        </Button>
      )}
    </Group>
  );
}
