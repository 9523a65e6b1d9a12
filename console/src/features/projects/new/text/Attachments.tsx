import { ActionIcon, Button, Group, Paper, Progress, Stack, Text, Title } from "@mantine/core";
import { IconPaperclip, IconX } from "@tabler/icons-react";
import { useRef, useState } from "react";
import { useClient } from "urql";
import type { Problem } from "../../../../frame/api/errors";
import { useFormat } from "../../../../frame/values/format";
import { useTranslation } from "../../../../frame/i18n";
import { ProblemNotice } from "../../../../frame/ui/page/ProblemNotice";
import { fileSize } from "../../../../frame/files/fileSize";
import { withMarks } from "../../../../frame/values/marks";
import { LARGEST, MOST_FILES } from "./files";
import { isProblem, uploadList, type Uploaded } from "../../../../frame/files/upload";
import type { DraftState } from "../useDraft";

/** The files that every message carries. */
export function Attachments({ state }: { state: DraftState }) {
  const { t, language } = useTranslation();
  const format = useFormat();
  const client = useClient();
  const input = useRef<HTMLInputElement>(null);
  // The names of files that were uploaded since the project was read.
  const [fresh, setFresh] = useState<Record<string, Uploaded>>({});
  const [sending, setSending] = useState<{ name: string; share: number } | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [refusals, setRefusals] = useState<string[]>([]);
  const { draft, files, set } = state;
  const uuids = draft.attachmentUuids;
  const filesById = new Map([...files, ...Object.values(fresh)].map((file) => [file.uuid, file]));

  async function upload(chosen: File[]) {
    setProblem(null);
    const small = chosen.filter(({ size }) => size <= LARGEST);
    const room = MOST_FILES - uuids.length;
    const surplus = small.slice(room).map(({ name }) => withMarks(name));
    setRefusals([
      ...chosen
        .filter(({ size }) => size > LARGEST)
        .map(({ name }) => t("making.fileTooLarge", { name: withMarks(name) })),
      ...(surplus.length > 0
        ? [t("making.tooManyFiles", { count: MOST_FILES, names: surplus.join(", ") })]
        : []),
    ]);
    for (const file of small.slice(0, room)) {
      setSending({ name: file.name, share: 0 });
      const answer = await uploadList(client, file, (share) => setSending({ name: file.name, share }));
      if (isProblem(answer)) {
        setProblem(answer);
        break;
      }
      setFresh((before) => ({ ...before, [answer.uuid]: answer }));
      // Others may have been detached during the upload.
      set(({ attachmentUuids }) => ({
        attachmentUuids: [...attachmentUuids.filter((uuid) => uuid !== answer.uuid), answer.uuid],
      }));
    }
    setSending(null);
  }

  return (
    <Paper p="sm">
      <Group justify="space-between" mb={uuids.length > 0 ? "xs" : 0}>
        <Title order={2}>{t("making.files")}</Title>
        <Button
          variant="default"
          leftSection={<IconPaperclip size={14} />}
          loading={sending !== null}
          disabled={uuids.length >= MOST_FILES}
          onClick={() => input.current?.click()}
        >
          {t("making.attach")}
        </Button>
      </Group>
      <input
        ref={input}
        type="file"
        multiple
        aria-label={t("making.attach")}
        className="visually-hidden"
        tabIndex={-1}
        onChange={(event) => {
          const chosen = [...(event.currentTarget.files ?? [])];
          event.currentTarget.value = "";
          void upload(chosen);
        }}
      />
      <Stack gap={4}>
        {uuids.map((uuid) => {
          const file = filesById.get(uuid);
          const name = file ? withMarks(file.name) : t("making.file");
          return (
            <Group key={uuid} gap={6} wrap="nowrap">
              <Text size="sm" style={{ overflowWrap: "anywhere" }}>
                {name}
              </Text>
              {file && (
                <Text size="xs" c="dimmed" style={{ whiteSpace: "nowrap" }}>
                  {fileSize(file.size, language)}
                </Text>
              )}
              <ActionIcon
                variant="subtle"
                color="gray"
                aria-label={t("making.detach", { name })}
                onClick={() =>
                  set(({ attachmentUuids }) => ({
                    attachmentUuids: attachmentUuids.filter((item) => item !== uuid),
                  }))
                }
              >
                <IconX size={14} />
              </ActionIcon>
            </Group>
          );
        })}
      </Stack>
      {sending && (
        <div>
          <Text size="xs" my={4} role="status">
            {t("lists.uploading", { name: withMarks(sending.name), share: format.percent(sending.share) })}
          </Text>
          <Progress value={sending.share * 100} aria-label={sending.name} size={6} />
        </div>
      )}
      <Text size="xs" c="dimmed" mt="xs">
        {t("making.filesHint", { count: MOST_FILES })}
      </Text>
      {refusals.map((refusal) => (
        <Text key={refusal} size="xs" c="red" mt={4} role="alert" style={{ overflowWrap: "anywhere" }}>
          {refusal}
        </Text>
      ))}
      {problem && <ProblemNotice problem={problem} />}
    </Paper>
  );
}
