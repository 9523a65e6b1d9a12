import { Anchor, Button, Group, Select, Stack, Text, Textarea, TextInput } from "@mantine/core";
import { IconPlayerPlay } from "@tabler/icons-react";
import { useState } from "react";
import { Link } from "react-router";
import { useClient } from "urql";
import { problemOf, type Problem } from "../../../frame/api/errors";
import { useFormat } from "../../../frame/values/format";
import { useTranslation } from "../../../frame/i18n";
import { ProblemNotice } from "../../../frame/ui/page/ProblemNotice";
import type { PreviewHookQuery } from "../../../gql/graphql";
import classes from "../developer.module.css";
import { Json } from "../ui/CodeBlock";
import { PreviewHook } from "./documents";

interface Props {
  query: string;
  /** the types that the webhook receives; none: all */
  types: readonly string[];
  onChange: (query: string) => void;
}

type Previewed = NonNullable<PreviewHookQuery["previewWebhook"]>;

export const EXAMPLE = `subscription {
  events {
    uuid type at
    message { to deliveryState failureReason }
  }
}`;

/** A document that makes the bodies, and what it makes of an event. Nothing is sent. */
export function DocumentTrial({ query, types, onChange }: Props) {
  const { t } = useTranslation();
  const format = useFormat();
  const client = useClient();
  const [eventId, setEventId] = useState("");
  const [type, setType] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [sides, setSides] = useState<{ plain: Previewed; made: Previewed } | null>(null);

  async function run() {
    setBusy(true);
    setProblem(null);
    setSides(null);
    const ask = (input: { query: string | null; types: string[]; eventId: string | null }) =>
      client.query(PreviewHook, { input }, { requestPolicy: "network-only" }).toPromise();
    const wanted = { types: type ? [type] : [...types], eventId: eventId.trim() || null };
    const made = await ask({ ...wanted, query: query.trim() || null });
    const shown = made.data?.previewWebhook;
    // The same event, even if another one has happened meanwhile.
    const plain = shown ? await ask({ query: null, types: [], eventId: shown.eventId }) : made;
    setBusy(false);
    const error = made.error ?? plain.error;
    if (shown && plain.data?.previewWebhook) setSides({ made: shown, plain: plain.data.previewWebhook });
    else if (error) setProblem(problemOf(error));
  }

  return (
    <Stack gap="sm">
      <Text size="sm" c="dimmed">
        {t("hooks.documentText")}
      </Text>
      <Textarea
        label={t("hooks.document")}
        description={t("hooks.documentHint")}
        className={classes.mono}
        autosize
        minRows={6}
        maxRows={20}
        spellCheck={false}
        placeholder={EXAMPLE}
        value={query}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      {!query.trim() && (
        <Group>
          <Button variant="subtle" size="compact-xs" onClick={() => onChange(EXAMPLE)}>
            {t("hooks.useExample")}
          </Button>
        </Group>
      )}
      <Group gap="sm" align="flex-end">
        <Select
          label={t("hooks.tryWith")}
          placeholder={t("hooks.newest")}
          clearable
          searchable
          size="xs"
          w={220}
          value={type}
          onChange={setType}
          data={types.length > 0 ? [...types] : COMMON}
        />
        <TextInput
          label={t("hooks.eventId")}
          placeholder={t("hooks.optional")}
          size="xs"
          w={300}
          value={eventId}
          onChange={(event) => setEventId(event.currentTarget.value)}
        />
        <Button variant="light" loading={busy} leftSection={<IconPlayerPlay size={14} />} onClick={run}>
          {t("hooks.tryIt")}
        </Button>
      </Group>
      {problem && <ProblemNotice problem={problem} />}
      {problem?.code === "event_not_found" && (
        <Anchor component={Link} size="sm" to="/developer#sandbox">
          {t("feed.makeSome")}
        </Anchor>
      )}
      {sides && (
        <Stack gap={6} role="status">
          <Text size="sm">
            {t("hooks.tried", {
              type: sides.made.type,
              bytes: format.number(sides.made.bytes),
              cost: format.number(sides.made.cost),
            })}
          </Text>
          <div className={classes.sides}>
            <Json title={t("hooks.plainBody")} value={sides.plain.body} />
            <Json title={t("hooks.madeBody")} value={sides.made.body} />
          </div>
        </Stack>
      )}
    </Stack>
  );
}

const COMMON = [
  "message.queued",
  "message.sent",
  "message.delivered",
  "message.failed",
  "message.refused",
  "message.received",
  "project.finished",
  "chat.received",
];
