import "@mantine/core/styles/Progress.css";
import { Alert, Button, FileButton, Group, Progress, Text } from "@mantine/core";
import { IconPhotoUp } from "@tabler/icons-react";
import { useState, type DragEvent } from "react";
import { useTranslation } from "../i18n";
import { ProblemNotice } from "../ui/page/ProblemNotice";
import { useFormat } from "../values/format";
import { withMarks } from "../values/marks";
import classes from "./pictures.module.css";
import type { PictureUploads } from "./usePictures";

const TAKEN = "image/png,image/jpeg,image/gif,image/webp";

/** Takes pictures, from the dialog or dropped; says how much has arrived, and which picture was refused. */
export function UploadPictures({ uploads }: { uploads: PictureUploads }) {
  const { t } = useTranslation();
  const format = useFormat();
  const [over, setOver] = useState(false);
  const { sending, refused, upload } = uploads;

  function drop(event: DragEvent) {
    event.preventDefault();
    setOver(false);
    const files = [...event.dataTransfer.files];
    if (files.length > 0 && !sending) void upload(files);
  }

  return (
    <>
      <div
        className={classes.drop}
        data-over={over || undefined}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
      >
        <Group gap="xs" justify="center">
          <Text size="sm">{t("pictures.drop")}</Text>
          <FileButton
            multiple
            accept={TAKEN}
            inputProps={{ "aria-label": t("pictures.upload") }}
            onChange={(files) => void upload(files)}
          >
            {(props) => (
              <Button
                {...props}
                variant="default"
                loading={sending !== null}
                leftSection={<IconPhotoUp size={14} />}
              >
                {t("pictures.upload")}
              </Button>
            )}
          </FileButton>
        </Group>
        <Text size="xs" c="dimmed" ta="center" mt={4}>
          {t("pictures.taken")}
        </Text>
      </div>
      {sending && (
        <Alert color="blue">
          <Text size="sm" mb={4} role="status">
            {t("pictures.uploading", { name: withMarks(sending.name), share: format.percent(sending.share) })}
          </Text>
          <Progress value={sending.share * 100} aria-label={withMarks(sending.name)} size={6} />
        </Alert>
      )}
      {refused && (
        <div>
          <Text size="sm" fw={500}>
            {t("pictures.notUploaded", { name: withMarks(refused.name) })}
          </Text>
          <ProblemNotice problem={refused.problem} />
        </div>
      )}
    </>
  );
}
