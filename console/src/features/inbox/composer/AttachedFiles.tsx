import { ActionIcon, Alert, Text } from "@mantine/core";
import { IconX } from "@tabler/icons-react";
import { useFormat } from "../../../frame/values/format";
import { useTranslation } from "../../../frame/i18n";
import { ProblemNotice } from "../../../frame/ui/page/ProblemNotice";
import { fileSize } from "../../../frame/files/fileSize";
import { withMarks } from "../../../frame/values/marks";
import classes from "../inbox.module.css";
import type { Attachments } from "./useAttachments";

/** The files that go with the message, while it is being written. */
export function AttachedFiles({ attachments }: { attachments: Attachments }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { files, refusal, problem, remove } = attachments;
  return (
    <>
      {problem && <ProblemNotice problem={problem} />}
      {refusal && (
        <Alert role="alert" color="red" py={6} mb={6}>
          {refusal.kind === "tooMany" ? t("inbox.tooManyFiles") : t("inbox.tooLarge", { name: refusal.name })}
        </Alert>
      )}
      {files.length > 0 && (
        <ul className={classes.attached} aria-label={t("inbox.attachments")}>
          {files.map(({ id, name: own, share, uuid, size: bytes }) => {
            const name = withMarks(own);
            return (
              <li key={id} className={classes.attachment}>
                <span className={classes.ellipsis}>
                  {uuid === null ? t("inbox.uploading", { name, share: format.percent(share) }) : name}
                </span>
                <Text component="span" size="xs" c="dimmed">
                  {fileSize(bytes, format.language)}
                </Text>
                <ActionIcon
                  size="sm"
                  variant="subtle"
                  color="gray"
                  aria-label={t("inbox.removeFile", { name })}
                  onClick={() => remove(id)}
                >
                  <IconX size={14} />
                </ActionIcon>
              </li>
            );
          })}
        </ul>
      )}
    </>
  );
}
