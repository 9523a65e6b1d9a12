import { Button, Progress, Stack, Text } from "@mantine/core";
import { IconFileUpload } from "@tabler/icons-react";
import { useRef, useState } from "react";
import { useClient } from "urql";
import type { Problem } from "../api/errors";
import { useFormat } from "../values/format";
import { useTranslation } from "../i18n";
import { ProblemNotice } from "../ui/page/ProblemNotice";
import { withMarks } from "../values/marks";
import classes from "./lists.module.css";
import { isProblem, uploadList } from "../files/upload";

const KINDS = ".csv,.tsv,.txt,.xlsx,.xls,.ods,.json,.ndjson,.jsonl";

/** Takes a file, from the dialog or dropped, and shows how much of it has arrived. */
export function UploadFile({ onUploaded }: { onUploaded: (uuid: string, name: string) => void }) {
  const { t } = useTranslation();
  const format = useFormat();
  const client = useClient();
  const input = useRef<HTMLInputElement>(null);
  const [over, setOver] = useState(false);
  const [sending, setSending] = useState<{ name: string; share: number } | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);

  async function upload(file: File | undefined) {
    if (!file || sending) return;
    setProblem(null);
    setSending({ name: file.name, share: 0 });
    const answer = await uploadList(client, file, (share) => setSending({ name: file.name, share }));
    setSending(null);
    if (isProblem(answer)) setProblem(answer);
    else onUploaded(answer.uuid, answer.name);
  }

  return (
    <Stack gap="sm">
      <div
        className={classes.drop}
        data-over={over || undefined}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault();
          setOver(false);
          void upload(event.dataTransfer.files[0]);
        }}
      >
        <IconFileUpload size={28} stroke={1.4} aria-hidden />
        <Text size="sm">{t("lists.drop")}</Text>
        <Button variant="default" onClick={() => input.current?.click()} loading={sending !== null}>
          {t("lists.chooseFile")}
        </Button>
        <input
          ref={input}
          type="file"
          accept={KINDS}
          aria-label={t("lists.chooseFile")}
          className="visually-hidden"
          tabIndex={-1}
          onChange={(event) => {
            const file = event.currentTarget.files?.[0];
            event.currentTarget.value = "";
            void upload(file);
          }}
        />
        <Text size="xs" c="dimmed">
          {t("lists.kinds")}
        </Text>
      </div>
      {sending && (
        <div>
          <Text size="xs" mb={4} role="status">
            {t("lists.uploading", { name: withMarks(sending.name), share: format.percent(sending.share) })}
          </Text>
          <Progress value={sending.share * 100} aria-label={sending.name} size={6} />
        </div>
      )}
      {problem && <ProblemNotice problem={problem} />}
    </Stack>
  );
}
