import { Paper, Text, Title } from "@mantine/core";
import { useLoaded } from "../../../frame/api/useLoaded";
import { useTranslation } from "../../../frame/i18n";
import { useViewer } from "../../../frame/session";
import { LetterScreen } from "../../../frame/ui/letter/LetterScreen";
import { withMarks } from "../../../frame/values/marks";
import { LetterOfMessage } from "./letterDocuments";
import type { Story } from "./story";

/** The HTML of an email in a frame that runs nothing; nothing for messages without HTML. */
export function LetterCard({ story }: { story: Story }) {
  const { t } = useTranslation();
  const { may } = useViewer();
  const { row, direct, record } = story;
  const recipient = record?.recipient?.uuid ?? null;
  const project = record?.sendingProject?.uuid ?? null;
  const pause =
    row.channel !== "email" || row.inbound || !recipient || !project || !may("projects:read") || !row.text;
  const { data } = useLoaded(
    LetterOfMessage,
    {
      input: {
        sendingProjectUuid: project,
        recipientUuid: recipient,
        ...(record?.variant != null && { variant: record.variant }),
      },
    },
    pause,
  );
  const own = htmlIn(direct?.metadata);
  const html = own ?? data?.previewMessage?.html ?? null;
  if (!html || row.channel !== "email") return null;
  return (
    <Paper p="sm">
      <Title order={2} mb="xs">
        {t("message.letter")}
      </Title>
      {data?.previewMessage?.subject && (
        <Text size="sm" fw={600} mb={6} dir="auto" ta="start" style={{ overflowWrap: "anywhere" }}>
          {withMarks(data.previewMessage.subject)}
        </Text>
      )}
      <LetterScreen html={html} title={t("message.letter")} />
      {!own && (
        <Text size="xs" c="dimmed" mt={4}>
          {t("message.letterAgain")}
        </Text>
      )}
    </Paper>
  );
}

function htmlIn(metadata: unknown): string | null {
  const html = (metadata as Record<string, unknown> | null | undefined)?.html;
  return typeof html === "string" && html.trim() ? html : null;
}
