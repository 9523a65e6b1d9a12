import "@mantine/core/styles/Progress.css";
import { Alert, Button, FileButton, Progress, Text } from "@mantine/core";
import { IconFileUpload } from "@tabler/icons-react";
import { useState } from "react";
import { useClient } from "urql";
import type { Problem } from "../../frame/api/errors";
import { isProblem, uploadList } from "../../frame/files/upload";
import { useTranslation } from "../../frame/i18n";
import { useFormat } from "../../frame/values/format";
import { withMarks } from "../../frame/values/marks";
import { ProblemNotice } from "../../frame/ui/page/ProblemNotice";

/** Uploads files one after another. A file that is refused is named, and those behind it are not sent. */
export function useUploads(onUploaded: (names: string[]) => void) {
  const client = useClient();
  const [sending, setSending] = useState<{ name: string; share: number } | null>(null);
  const [refused, setRefused] = useState<{ name: string; problem: Problem } | null>(null);

  async function upload(files: File[]) {
    setRefused(null);
    const stored: string[] = [];
    for (const file of files) {
      setSending({ name: file.name, share: 0 });
      const answer = await uploadList(client, file, (share) => setSending({ name: file.name, share }));
      if (isProblem(answer)) {
        setRefused({ name: file.name, problem: answer });
        break;
      }
      stored.push(answer.name);
    }
    setSending(null);
    if (stored.length > 0) onUploaded(stored);
  }
  return { upload, sending, refused };
}

type Uploads = ReturnType<typeof useUploads>;

export function UploadButton({ uploads }: { uploads: Uploads }) {
  const { t } = useTranslation();
  return (
    <FileButton
      multiple
      inputProps={{ "aria-label": t("files.upload") }}
      onChange={(files) => void uploads.upload(files)}
    >
      {(props) => (
        <Button {...props} loading={uploads.sending !== null} leftSection={<IconFileUpload size={14} />}>
          {t("files.upload")}
        </Button>
      )}
    </FileButton>
  );
}

/** How much of a file has arrived, and which file was refused. */
export function UploadState({ uploads }: { uploads: Uploads }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { sending, refused } = uploads;
  if (sending) {
    const name = withMarks(sending.name);
    return (
      <Alert color="blue">
        <Text size="sm" mb={4} role="status">
          {t("files.uploading", { name, share: format.percent(sending.share) })}
        </Text>
        <Progress value={sending.share * 100} aria-label={name} size={6} />
      </Alert>
    );
  }
  if (!refused) return null;
  return (
    <>
      <Text size="sm" fw={500}>
        {t("files.notUploaded", { name: withMarks(refused.name) })}
      </Text>
      <ProblemNotice problem={refused.problem} />
    </>
  );
}
