import { ActionIcon, Text, Textarea } from "@mantine/core";
import { IconPaperclip, IconSend, IconX } from "@tabler/icons-react";
import { useEffect, useId, useRef, type ClipboardEvent, type KeyboardEvent } from "react";
import { useTranslation } from "../../../frame/i18n";
import { AttachedFiles } from "./AttachedFiles";
import type { Draft } from "./drafts";
import classes from "../inbox.module.css";
import type { SentFile } from "../outbox";
import { QuoteText } from "../conversation/Quote";
import { useAttachments } from "./useAttachments";
import { useTyping } from "./useTyping";

const IS_PHONE = "(max-width: 48em)";

interface Props {
  account: string;
  chat: string;
  /** what the other side is called */
  name: string;
  /** whom to show that the account is typing; null: nobody */
  typingTo: string | null;
  /** whether it is known where the message goes */
  ready: boolean;
  draft: Draft;
  onDraft: (draft: Draft) => void;
  onSend: (text: string, files: SentFile[], replyTo: string | null) => void;
}

export function Composer({ account, chat, name, typingTo, ready, draft, onDraft, onSend }: Props) {
  const { t } = useTranslation();
  const field = useRef<HTMLTextAreaElement>(null);
  const picker = useRef<HTMLInputElement>(null);
  const hint = useId();
  const attachments = useAttachments();
  const typing = useTyping(account, typingTo);

  // A page that has just opened gives the focus to its content first.
  useEffect(() => {
    if (window.matchMedia(IS_PHONE).matches) return;
    const frame = requestAnimationFrame(() => field.current?.focus({ preventScroll: true }));
    return () => cancelAnimationFrame(frame);
  }, [account, chat]);
  useEffect(() => {
    if (draft.replyTo) field.current?.focus();
  }, [draft.replyTo]);

  const uploaded = attachments.files.filter(({ uuid }) => uuid !== null);
  const waiting = !ready || attachments.files.length > uploaded.length;
  const empty = !draft.text.trim() && uploaded.length === 0;

  function send() {
    if (empty || waiting) return;
    typing.stop(false);
    const files = uploaded.map(({ uuid, name, kind }) => ({ uuid: uuid ?? "", name, kind }));
    onSend(draft.text, files, draft.replyTo?.uuid ?? null);
    attachments.clear();
    onDraft({ text: "", replyTo: null });
    field.current?.focus();
  }
  function onKeyDown(event: KeyboardEvent) {
    if (event.key === "Escape" && draft.replyTo) onDraft({ ...draft, replyTo: null });
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    send();
  }
  function onPaste(event: ClipboardEvent) {
    const files = [...event.clipboardData.files];
    if (files.length === 0) return;
    event.preventDefault();
    attachments.add(files);
  }

  return (
    <form
      className={classes.composer}
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      {draft.replyTo && (
        <div className={classes.replying}>
          <div className={classes.quote}>
            <QuoteText message={draft.replyTo} />
          </div>
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={t("inbox.noReply")}
            onClick={() => onDraft({ ...draft, replyTo: null })}
          >
            <IconX size={16} />
          </ActionIcon>
        </div>
      )}
      <AttachedFiles attachments={attachments} />
      <div className={classes.writing}>
        <input
          ref={picker}
          type="file"
          multiple
          hidden
          onChange={(event) => {
            attachments.add([...(event.currentTarget.files ?? [])]);
            event.currentTarget.value = "";
          }}
        />
        <ActionIcon
          size={34}
          variant="subtle"
          color="gray"
          aria-label={t("inbox.attach")}
          title={t("inbox.attach")}
          onClick={() => picker.current?.click()}
        >
          <IconPaperclip size={18} />
        </ActionIcon>
        <Textarea
          ref={field}
          className={classes.field}
          aria-label={t("inbox.writeTo", { name })}
          aria-describedby={hint}
          placeholder={t("inbox.write")}
          autosize
          minRows={1}
          maxRows={8}
          value={draft.text}
          onChange={(event) => {
            const text = event.currentTarget.value;
            onDraft({ ...draft, text });
            if (text.trim()) typing.begin();
            else typing.stop(true);
          }}
          onKeyDown={onKeyDown}
          onPaste={onPaste}
        />
        <ActionIcon
          size={34}
          type="submit"
          aria-label={t("inbox.send")}
          title={t("inbox.send")}
          disabled={empty || waiting}
        >
          <IconSend size={18} />
        </ActionIcon>
      </div>
      <Text id={hint} size="xs" c="dimmed" visibleFrom="sm" className={classes.hint}>
        {t("inbox.keys")}
      </Text>
    </form>
  );
}
