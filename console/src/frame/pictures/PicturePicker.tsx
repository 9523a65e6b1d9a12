import { Button, Modal, Stack, Text, TextInput } from "@mantine/core";
import { IconPhoto } from "@tabler/icons-react";
import { useDebouncedValue } from "@mantine/hooks";
import { useState } from "react";
import { fileSize } from "../files/fileSize";
import { useTranslation } from "../i18n";
import { EmptyList } from "../list/EmptyList";
import { LoadMore } from "../list/LoadMore";
import { useViewer } from "../session";
import { useFocusBack } from "../ui/dialogs/useFocusBack";
import { ProblemNotice } from "../ui/page/ProblemNotice";
import { withMarks } from "../values/marks";
import { PictureImage } from "./PictureImage";
import classes from "./pictures.module.css";
import { UploadPictures } from "./UploadPictures";
import { usePictures, usePictureUploads, type Picture } from "./usePictures";

interface Props {
  /** the text of the button; default: "Choose a picture" */
  label?: string;
  onChoose: (picture: Picture) => void;
}

/** A button that opens the pictures of the viewer, to choose one or to upload another one. */
export function PicturePicker({ label, onChoose }: Props) {
  const { t } = useTranslation();
  const { may } = useViewer();
  const [open, setOpen] = useState(false);
  if (!may("files:read")) return null;
  return (
    <>
      <Button
        variant="default"
        size="xs"
        leftSection={<IconPhoto size={14} />}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        {label ?? t("pictures.choose")}
      </Button>
      {open && (
        <PictureDialog
          onClose={() => setOpen(false)}
          onChoose={(picture) => {
            setOpen(false);
            onChoose(picture);
          }}
        />
      )}
    </>
  );
}

function PictureDialog({ onChoose, onClose }: { onChoose: (picture: Picture) => void; onClose: () => void }) {
  const { t, language } = useTranslation();
  const { may } = useViewer();
  const [name, setName] = useState("");
  const [searched] = useDebouncedValue(name, 300);
  const { list, state } = usePictures(searched);
  const uploads = usePictureUploads((pictures) => {
    const [first] = pictures;
    void list.reload();
    if (pictures.length === 1 && first) onChoose(first);
  });
  useFocusBack();
  return (
    <Modal
      opened
      onClose={onClose}
      size="xl"
      title={t("pictures.choose")}
      closeButtonProps={{ "aria-label": t("common.close") }}
    >
      <Stack gap="sm">
        {may("files:write") && <UploadPictures uploads={uploads} />}
        <TextInput
          label={t("pictures.search")}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        {state.problem && <ProblemNotice problem={state.problem} onRetry={() => void list.retry()} />}
        <ul className={classes.grid} aria-label={t("pictures.title")} aria-busy={state.loading}>
          {state.rows.map((picture) => (
            <li key={picture.uuid} className={classes.tile}>
              <button type="button" className={classes.pick} onClick={() => onChoose(picture)}>
                <PictureImage picture={picture} />
                <Text component="span" size="sm" className={classes.name}>
                  {withMarks(picture.name)}
                </Text>
                <Text component="span" size="xs" c="dimmed">
                  {picture.width} × {picture.height} · {fileSize(picture.size, language)}
                </Text>
              </button>
            </li>
          ))}
        </ul>
        {state.rows.length === 0 && !state.problem && (
          <EmptyList
            loading={!state.complete}
            text={t(searched.trim() ? "pictures.nothingFound" : "pictures.empty")}
          />
        )}
        <LoadMore label={t("pictures.more")} list={list} state={state} />
      </Stack>
    </Modal>
  );
}
