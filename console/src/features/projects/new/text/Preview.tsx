import { Alert, Button, Group, Loader, Paper, Select, Stack, Text, Title } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { IconSend } from "@tabler/icons-react";
import { useState } from "react";
import { useLoaded } from "../../../../frame/api/useLoaded";
import { useBilling } from "../../../../frame/billing";
import { PersonSelect } from "../../../../frame/contacts/PersonSelect";
import { valuesOf } from "../../../../frame/contacts/person";
import { useFormat } from "../../../../frame/values/format";
import { useTranslation } from "../../../../frame/i18n";
import { ProblemNotice } from "../../../../frame/ui/page/ProblemNotice";
import { useViewer } from "../../../../frame/session";
import type { ProjectChoicesQuery } from "../../../../gql/graphql";
import { PreviewText } from "../documents";
import type { Draft } from "../draft";
import classes from "../new.module.css";
import { priceOf } from "../plan/plan";
import { useRecipient } from "./people/useRecipient";
import { EmailPreview } from "./preview/EmailPreview";
import { Phone } from "./preview/Phone";
import { TrialDialog } from "./TrialDialog";
import type { DraftState } from "../useDraft";

interface Props {
  state: DraftState;
  choices: ProjectChoicesQuery | undefined;
  variant: number;
}

const TYPING_MS = 500;

/** The texts as a recipient gets them, what they cost, and which values are missing. */
export function Preview({ state, choices, variant }: Props) {
  const { t } = useTranslation();
  const { draft, project } = state;
  const { listed, own, chosen, choose, ofContacts, people, person, pick, values } = useRecipient(state);
  const { may } = useViewer();
  const [trying, setTrying] = useState(false);
  const text = draft.variants.length > 0 ? (draft.variants[variant]?.text ?? "") : draft.text;
  const [content] = useDebouncedValue(
    JSON.stringify({ text, subject: draft.subject, html: draft.html }),
    TYPING_MS,
  );
  const texts = JSON.parse(content) as Pick<Draft, "text" | "subject" | "html">;
  const isEmpty = !texts.text && !texts.html && !texts.subject;
  const input = {
    channel: draft.channel,
    // An empty one takes none of the project, so that the text of an email is made from its HTML.
    text: texts.text,
    subject: draft.channel === "email" || draft.channel === "push" ? texts.subject || null : null,
    html: draft.channel === "email" ? texts.html || null : null,
    ...(project && { sendingProjectUuid: project.uuid }),
    ...(chosen && own ? { recipientUuid: chosen.uuid } : values && { variables: valuesOf(values) }),
  };
  const { data, problem, loading } = useLoaded(PreviewText, { input }, isEmpty);
  const shown = isEmpty ? null : data?.previewMessage;
  const missing = shown?.missing ?? [];

  return (
    <Paper p="sm" className={classes.beside}>
      <Stack gap="sm">
        <Group justify="space-between">
          <Group gap={8}>
            <Title order={2}>{t("making.preview")}</Title>
            {loading && !isEmpty && <Loader size={12} aria-label={t("common.loading")} />}
          </Group>
          {may("projects:send") && (
            <Button
              variant="default"
              leftSection={<IconSend size={14} />}
              disabled={isEmpty}
              onClick={() => setTrying(true)}
            >
              {t("making.trial")}
            </Button>
          )}
        </Group>
        {listed.length > 0 && (
          <Select
            size="xs"
            label={t("making.previewFor")}
            searchable
            allowDeselect={false}
            value={chosen?.uuid ?? null}
            onChange={choose}
            data={listed.map(({ uuid, address, name }) => ({
              value: uuid,
              label: name ? `${name} (${address})` : address,
            }))}
          />
        )}
        {ofContacts && (
          <PersonSelect
            size="xs"
            label={t("making.previewFor")}
            channel={draft.channel}
            first={people}
            value={person}
            onChange={pick}
          />
        )}
        {problem && !isEmpty && !state.problem && <ProblemNotice problem={problem} />}
        {isEmpty && (
          <Text size="sm" c="dimmed">
            {t("making.noTextYet")}
          </Text>
        )}
        {shown && (
          <>
            {draft.channel === "email" ? (
              <EmailPreview
                subject={shown.subject ?? null}
                body={shown.body}
                html={shown.html ?? null}
                from={draft.from}
                isMade={!texts.text.trim()}
              />
            ) : (
              <Phone
                message={{
                  channel: draft.channel,
                  title: shown.subject ?? null,
                  body: shown.body,
                  encoding: shown.encoding ?? null,
                  segments: shown.segments ?? null,
                  files: state.files
                    .filter(({ uuid }) => draft.attachmentUuids.includes(uuid))
                    .map(({ name }) => name),
                }}
              />
            )}
            {draft.category === "promotional" && shown.variables.includes("unsubscribe_url") && (
              <Text size="xs" c="dimmed">
                {t("making.linkLength")}
              </Text>
            )}
            <Price
              choices={choices}
              draft={draft}
              segments={shown.segments ?? null}
              characters={shown.characters}
              encoding={shown.encoding ?? null}
            />
            {missing.length > 0 && values && (
              <Alert color="orange">
                {t(draft.onMissingVariable === "skip" ? "making.lacksSkip" : "making.lacksEmpty", {
                  names: missing.join(", "),
                })}
              </Alert>
            )}
          </>
        )}
      </Stack>
      {trying && (
        <TrialDialog
          draft={{ ...draft, text }}
          choices={choices}
          recipient={values}
          onClose={() => setTrying(false)}
        />
      )}
    </Paper>
  );
}

interface PriceProps {
  choices: ProjectChoicesQuery | undefined;
  draft: Draft;
  segments: number | null;
  characters: number;
  encoding: string | null;
}

function Price({ choices, draft, segments, characters, encoding }: PriceProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const accounts = choices?.accounts?.nodes ?? [];
  const account = accounts.find(({ uuid }) => uuid === draft.accountId) ?? accounts.at(-1);
  const isFree = useBilling() === "off";
  const price = account && priceOf(choices?.tariff?.prices, account.currency, draft.channel);
  const parts = [
    t("making.characters", { count: characters, number: format.number(characters) }),
    segments !== null ? t("send.segments", { count: segments }) : "",
    account && price !== undefined && !isFree
      ? t("making.perMessage", { price: format.money(price * (segments ?? 1), account.currency) })
      : "",
  ];
  return (
    <div role="status">
      <Text size="xs" c="dimmed">
        {parts.filter(Boolean).join(" · ")}
      </Text>
      {encoding === "ucs2" && (
        <Text size="xs" c="dimmed">
          {t("making.ucs2")}
        </Text>
      )}
    </div>
  );
}
