import { Button, Group, Stack, Tabs, Text } from "@mantine/core";
import { IconSparkles } from "@tabler/icons-react";
import { useMemo, useState } from "react";
import { useLoaded } from "../../../../frame/api/useLoaded";
import { useContactVariables } from "../../../../frame/contacts/usePeople";
import { useTranslation } from "../../../../frame/i18n";
import { FromField } from "../../../../frame/sender/FromField";
import { SenderField } from "../../../../frame/sender/SenderField";
import { variablesOf } from "../../../../frame/liquid/liquid";
import { LiquidEditor } from "../../../../frame/liquid/LiquidEditor";
import { LINKS } from "../../../../frame/liquid/unsubscribe";
import { useInsertion } from "../../../../frame/liquid/useInsertion";
import { VariableBar } from "../../../../frame/liquid/VariableBar";
import { useListed } from "./people/useListed";
import type { DraftState } from "../useDraft";
import { WritesTexts } from "./documents";
import { VariantBar } from "./VariantBar";
import { WriteDialog } from "./WriteDialog";

interface Props {
  state: DraftState;
  variant: number;
  onVariant: (variant: number) => void;
}

const FROM_CODES: ReadonlySet<string> = new Set(["bad_sender", "sender_not_approved"]);

const unlabeled = (name: string) => ({ name, label: null });

type Field = "subject" | "text" | "html";

/** The fields of the channel, and the variables that can be put into them. */
export function Fields({ state, variant, onVariant }: Props) {
  const { t } = useTranslation();
  const { draft, project, set, problem } = state;
  const [writing, setWriting] = useState(false);
  // Without a language model there is nothing to press.
  const writes = useLoaded(WritesTexts, {}).data?.installation?.writesTexts === true;
  const { listed: recipients } = useListed(state);
  // Contacts become recipients when the project starts; until then their fields are what a text can have.
  const ofContacts = draft.audience !== null && recipients.length === 0;
  const contactVariables = useContactVariables(!ofContacts);
  const listed = useMemo(() => variablesOf(recipients), [recipients]);
  const links = draft.category === "promotional" ? LINKS : [];
  const variables = [...(ofContacts ? contactVariables : listed.map(unlabeled)), ...links.map(unlabeled)];
  const isEmail = draft.channel === "email";
  const several = draft.variants.length > 0;
  const text = several ? (draft.variants[variant]?.text ?? "") : draft.text;
  const values: Record<Field, string> = { subject: draft.subject, text, html: draft.html };

  function write(name: Field, value: string) {
    if (name === "subject") set({ subject: value.replace(/\n/g, " ") });
    else if (name === "html") set({ html: value });
    else if (!several) set({ text: value });
    else {
      set({
        variants: draft.variants.map((item, index) => (index === variant ? { ...item, text: value } : item)),
      });
    }
  }
  const isMade = isEmail && !several && !draft.text.trim() && draft.html.trim() !== "";
  const { field, setField, insert, propsOf } = useInsertion<Field>(isMade ? "html" : "text", values, write);
  const editor = (name: Field, label: string, code = false) => (
    <LiquidEditor
      label={label}
      value={values[name]}
      code={code}
      short={name === "subject"}
      error={
        problem?.fields[name] ??
        (problem?.code === "bad_text" && field === name ? problem.message : undefined)
      }
      onChange={(value) => write(name, value)}
      {...propsOf(name)}
    />
  );

  return (
    <Stack gap="sm">
      {isEmail && (
        <FromField
          value={draft.from ?? ""}
          error={problem?.fields.from ?? (FROM_CODES.has(problem?.code ?? "") ? problem?.message : undefined)}
          onChange={(from) => set({ from })}
        />
      )}
      {draft.channel === "sms" && (
        <SenderField
          value={draft.sender ?? ""}
          error={
            problem?.fields.sender ?? (FROM_CODES.has(problem?.code ?? "") ? problem?.message : undefined)
          }
          onChange={(sender) => set({ sender })}
        />
      )}
      {(isEmail || draft.channel === "push") &&
        editor("subject", t(isEmail ? "send.subject" : "send.pushTitle"))}
      {!isEmail && (
        <>
          <VariantBar state={state} variant={variant} onVariant={onVariant} />
          {editor("text", t("send.text"))}
        </>
      )}
      {isEmail && (
        <Tabs
          value={field === "html" ? "html" : "text"}
          onChange={(value) => setField(value === "html" ? "html" : "text")}
        >
          <Tabs.List mb="xs">
            <Tabs.Tab value="text">{t("making.plainText")}</Tabs.Tab>
            <Tabs.Tab value="html">HTML</Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value="text">
            <Stack gap="xs">
              <VariantBar state={state} variant={variant} onVariant={onVariant} />
              {editor("text", t("making.plainText"))}
              {isMade && (
                <Text size="xs" c="dimmed">
                  {t("making.madeFromHtml")}
                </Text>
              )}
            </Stack>
          </Tabs.Panel>
          <Tabs.Panel value="html">{editor("html", "HTML", true)}</Tabs.Panel>
        </Tabs>
      )}
      <VariableBar label={t("making.variables")} variables={variables} onInsert={insert} />
      <Group justify="space-between" gap="xs">
        <Text size="xs" c="dimmed">
          {t("making.liquidHint", { example: '{{ name | default: "…" }}' })}
        </Text>
        {writes && (
          <Button
            variant="default"
            size="compact-sm"
            ms="auto"
            leftSection={<IconSparkles size={14} />}
            onClick={() => setWriting(true)}
          >
            {t("writing.open")}
          </Button>
        )}
      </Group>
      {writing && (
        <WriteDialog
          project={project?.uuid ?? null}
          hasText={text !== ""}
          onUse={(next) => {
            write("text", next);
            setField("text");
            setWriting(false);
          }}
          onClose={() => setWriting(false)}
        />
      )}
    </Stack>
  );
}
