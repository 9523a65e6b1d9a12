import { Paper, Radio, Stack, Switch, Group } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "../../../../frame/i18n";
import type { ProjectChoicesQuery } from "../../../../gql/graphql";
import { Attachments } from "./Attachments";
import { takesFiles } from "../draft";
import { Fields } from "./Fields";
import classes from "../new.module.css";
import { Preview } from "./Preview";
import { StoredTemplate } from "./stored/StoredTemplate";
import { TemplateFields } from "./TemplateFields";
import type { DraftState } from "../useDraft";

interface Props {
  state: DraftState;
  choices: ProjectChoicesQuery | undefined;
}

/** The second step: what is sent, and how it looks for a recipient. */
export function TextStep({ state, choices }: Props) {
  const { t } = useTranslation();
  const { draft, set } = state;
  const [variant, setVariant] = useState(0);
  const shown = Math.min(variant, Math.max(0, draft.variants.length - 1));
  return (
    <div className={classes.two} data-email={draft.channel === "email" || undefined}>
      <Stack gap="sm">
        <Paper p="sm">
          <StoredTemplate state={state} />
          <Fields state={state} variant={shown} onVariant={setVariant} />
        </Paper>
        {draft.channel === "whatsapp" && <TemplateFields state={state} choices={choices} />}
        {takesFiles(draft.channel) && <Attachments state={state} />}
        <Paper p="sm">
          <Radio.Group
            label={t("making.missing")}
            value={draft.onMissingVariable}
            onChange={(value) => set({ onMissingVariable: value === "skip" ? "skip" : "empty" })}
          >
            <Group mt={6} gap="lg">
              <Radio value="empty" label={t("making.missingEmpty")} />
              <Radio value="skip" label={t("making.missingSkip")} />
            </Group>
          </Radio.Group>
          <Switch
            mt="sm"
            label={t("making.stopOnReply")}
            checked={draft.stopOnReply}
            onChange={(event) => set({ stopOnReply: event.currentTarget.checked })}
          />
          {draft.channel === "email" && draft.category === "promotional" && (
            <Switch
              mt="sm"
              label={t("making.trackClicks")}
              description={t("making.trackClicksWhat")}
              checked={draft.trackClicks === true}
              onChange={(event) => set({ trackClicks: event.currentTarget.checked })}
            />
          )}
        </Paper>
      </Stack>
      <Preview state={state} choices={choices} variant={shown} />
    </div>
  );
}
