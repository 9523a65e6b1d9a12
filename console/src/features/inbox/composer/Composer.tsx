import { ActionIcon, Loader, SegmentedControl, Text, Textarea } from "@mantine/core";
import { IconMicrophone, IconPaperclip, IconSend, IconX } from "@tabler/icons-react";
import { Suspense, useEffect, useId, useRef, useState, type ClipboardEvent, type KeyboardEvent } from "react";
import { lazyFile } from "../../../frame/api/consoleFiles";
import type { Problem } from "../../../frame/api/errors";
import { useTranslation } from "../../../frame/i18n";
import { ProblemNotice } from "../../../frame/ui/page/ProblemNotice";
import { AnswerList } from "../answers/AnswerList";
import { filledIn, shortcutOf, type Answer } from "../answers/answers";
import { useAnswers } from "../answers/useAnswers";
import { LONGEST_NOTE } from "../model";
import { AttachedFiles } from "./AttachedFiles";
import type { Draft } from "./drafts";
import classes from "../inbox.module.css";
import type { SentFile } from "../outbox";
import { QuoteText } from "../conversation/Quote";
import { useAttachments } from "./useAttachments";
import { useTyping } from "./useTyping";

const VoiceMessage = lazyFile(() => import("./voice/VoiceMessage"));

const IS_PHONE = "(max-width: 48em)";

interface Props {
  account: string;
  chat: string;
  /** what the other side is called */
  name: string;
  /** the name of the person, which answers may have in them; null: it is not known */
  person: string | null;
  /** whom to show that the account is typing; null: nobody */
  typingTo: string | null;
  /** whether it is known where the message goes */
  ready: boolean;
  draft: Draft;
  onDraft: (draft: Draft) => void;
  onSend: (text: string, files: SentFile[], replyTo: string | null) => void;
  /** null: there is no chat yet that a note could be about */
  onNote: ((text: string) => Promise<Problem | null>) | null;
  onManageAnswers: () => void;
}

export function Composer(props: Props) {
  const { account, chat, name, person, typingTo, ready, draft } = props;
  const { onDraft, onSend, onNote, onManageAnswers } = props;
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

  const isNote = Boolean(draft.note && onNote);
  // The chat for which a voice message is recorded. It ends with the chat.
  const here = `${account}/${chat}`;
  const [speaking, setSpeaking] = useState<string | null>(null);
  const isSpeaking = speaking === here && !isNote;
  const [problem, setProblem] = useState<Problem | null>(null);
  const typed = isNote ? null : shortcutOf(draft.text);
  // Escape closes the list until something else is typed.
  const [dismissed, setDismissed] = useState<string | null>(null);
  const { answers, loading } = useAnswers(typed);
  // A draft that is kept from before opens no list over the chat until somebody goes on with it.
  const [focused, setFocused] = useState<string | null>(null);
  const listed = typed !== null && draft.text !== dismissed && focused === here;
  const [current, setCurrent] = useState(0);
  const chosen = answers[Math.min(current, answers.length - 1)];

  const uploaded = attachments.files.filter(({ uuid }) => uuid !== null);
  const waiting = !isNote && (!ready || attachments.files.length > uploaded.length);
  const empty = !draft.text.trim() && (isNote || uploaded.length === 0);

  function send() {
    if (empty || waiting) return;
    if (isNote) {
      void note();
      return;
    }
    typing.stop(false);
    const files = uploaded.map(({ uuid, name, kind }) => ({ uuid: uuid ?? "", name, kind }));
    onSend(draft.text, files, draft.replyTo?.uuid ?? null);
    attachments.clear();
    onDraft({ text: "", replyTo: null });
    field.current?.focus();
  }
  async function note() {
    const text = draft.text.trim();
    onDraft({ text: "", replyTo: null, note: true });
    const refused = await onNote?.(text);
    setProblem(refused ?? null);
    if (refused) onDraft({ text, replyTo: null, note: true });
    field.current?.focus();
  }
  function stopSpeaking() {
    setSpeaking(null);
    field.current?.focus();
  }
  function insert(answer: Answer) {
    onDraft({ ...draft, text: filledIn(answer.text, person) });
    setCurrent(0);
    field.current?.focus();
  }
  function onAnswerKey(event: KeyboardEvent): boolean {
    if (event.key === "Escape") setDismissed(draft.text);
    else if (event.key === "ArrowDown" && answers.length > 0) setCurrent((current + 1) % answers.length);
    else if (event.key === "ArrowUp" && answers.length > 0)
      setCurrent((current + answers.length - 1) % answers.length);
    else if ((event.key === "Enter" || event.key === "Tab") && chosen && !event.shiftKey) insert(chosen);
    else return false;
    event.preventDefault();
    return true;
  }
  function onKeyDown(event: KeyboardEvent) {
    if (listed && !event.nativeEvent.isComposing && onAnswerKey(event)) return;
    if (event.key === "Escape" && draft.replyTo) onDraft({ ...draft, replyTo: null });
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    send();
  }
  function onPaste(event: ClipboardEvent) {
    const files = [...event.clipboardData.files];
    if (files.length === 0 || isNote) return;
    event.preventDefault();
    attachments.add(files);
  }

  return (
    <form
      className={classes.composer}
      data-note={isNote || undefined}
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      {listed && (
        <AnswerList
          id={`${hint}-answers`}
          answers={answers}
          loading={loading}
          current={Math.min(current, answers.length - 1)}
          onChoose={insert}
          onManage={onManageAnswers}
        />
      )}
      {onNote && (
        <SegmentedControl
          size="xs"
          mb={6}
          aria-label={t("inbox.notes.mode")}
          value={isNote ? "note" : "answer"}
          data={[
            { value: "answer", label: t("inbox.notes.answer") },
            { value: "note", label: t("inbox.notes.note") },
          ]}
          onChange={(value) => {
            typing.stop(true);
            onDraft({ ...draft, replyTo: null, note: value === "note" });
            field.current?.focus();
          }}
        />
      )}
      {problem && <ProblemNotice problem={problem} />}
      {draft.replyTo && !isNote && (
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
      {!isNote && <AttachedFiles attachments={attachments} />}
      {isSpeaking && (
        <Suspense fallback={<Loader size="xs" aria-label={t("common.loading")} />}>
          <VoiceMessage
            key={here}
            onSend={(file) => {
              onSend("", [file], draft.replyTo?.uuid ?? null);
              onDraft({ ...draft, replyTo: null });
              stopSpeaking();
            }}
            onClose={stopSpeaking}
          />
        </Suspense>
      )}
      <div className={classes.writing} hidden={isSpeaking}>
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
        {!isNote && (
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
        )}
        {!isNote && (
          <ActionIcon
            size={34}
            variant="subtle"
            color="gray"
            aria-label={t("inbox.voice.record")}
            title={t("inbox.voice.record")}
            disabled={!ready}
            onClick={() => {
              typing.stop(true);
              setSpeaking(here);
            }}
          >
            <IconMicrophone size={18} />
          </ActionIcon>
        )}
        <Textarea
          ref={field}
          className={classes.field}
          aria-label={isNote ? t("inbox.notes.about", { name }) : t("inbox.writeTo", { name })}
          aria-describedby={hint}
          aria-controls={listed ? `${hint}-answers` : undefined}
          aria-activedescendant={listed && chosen ? `${hint}-answers-${answers.indexOf(chosen)}` : undefined}
          placeholder={t(isNote ? "inbox.notes.write" : "inbox.write")}
          dir="auto"
          maxLength={isNote ? LONGEST_NOTE : undefined}
          autosize
          minRows={1}
          maxRows={8}
          value={draft.text}
          onFocus={() => setFocused(here)}
          onChange={(event) => {
            const text = event.currentTarget.value;
            onDraft({ ...draft, text });
            setCurrent(0);
            setFocused(here);
            if (isNote || shortcutOf(text) !== null) return;
            if (text.trim()) typing.begin();
            else typing.stop(true);
          }}
          onKeyDown={onKeyDown}
          onPaste={onPaste}
        />
        <ActionIcon
          size={34}
          type="submit"
          color={isNote ? "yellow" : undefined}
          aria-label={t(isNote ? "inbox.notes.save" : "inbox.send")}
          title={t(isNote ? "inbox.notes.save" : "inbox.send")}
          disabled={empty || waiting}
        >
          <IconSend size={18} />
        </ActionIcon>
      </div>
      <Text id={hint} size="xs" c="dimmed" visibleFrom="sm" className={classes.hint} hidden={isSpeaking}>
        {t(isNote ? "inbox.notes.keys" : "inbox.keys")}
      </Text>
    </form>
  );
}
