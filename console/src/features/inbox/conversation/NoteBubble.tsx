import { ActionIcon, Text } from "@mantine/core";
import { IconNote, IconTrash } from "@tabler/icons-react";
import { memo, useState } from "react";
import { useTranslation } from "../../../frame/i18n";
import { Confirm } from "../../../frame/ui/dialogs/Confirm";
import { useFormat } from "../../../frame/values/format";
import { textWithMarks } from "../../../frame/values/marks";
import { useViewer } from "../../../frame/session";
import classes from "../inbox.module.css";
import type { Note } from "../model";

interface Props {
  note: Note;
  onDelete: (uuid: string) => void;
}

/** A note among the messages: who wrote it and when. It was not sent. */
export const NoteBubble = memo(function NoteBubble({ note, onDelete }: Props) {
  const { t } = useTranslation();
  const format = useFormat();
  const [asking, setAsking] = useState(false);
  const viewer = useViewer();
  const person = note.author ?? (note.authorId === viewer.uuid ? viewer : null);
  const author = person ? person.displayName || person.email : t("inbox.notes.somebody");
  return (
    <li className={classes.noteItem} data-note>
      <div className={classes.note}>
        <Text size="xs" fw={600} className={classes.noteHead}>
          <IconNote size={13} stroke={1.8} aria-hidden /> {t("inbox.notes.by", { author })}
        </Text>
        <div className={classes.text} dir="auto">
          {textWithMarks(note.text)}
        </div>
        <span className={classes.foot}>
          <time dateTime={note.createdAt} title={format.fullTime(note.createdAt)}>
            {format.clock(note.createdAt)}
          </time>
        </span>
      </div>
      <ActionIcon
        variant="subtle"
        color="gray"
        className={classes.reply}
        aria-label={t("inbox.notes.delete")}
        title={t("inbox.notes.delete")}
        onClick={() => setAsking(true)}
      >
        <IconTrash size={15} />
      </ActionIcon>
      <Confirm
        opened={asking}
        title={t("inbox.notes.delete")}
        question={t("inbox.notes.deleteQuestion")}
        action={t("inbox.notes.deleteIt")}
        problem={null}
        onConfirm={() => {
          onDelete(note.uuid);
          setAsking(false);
          return Promise.resolve();
        }}
        onClose={() => setAsking(false)}
      />
    </li>
  );
});
