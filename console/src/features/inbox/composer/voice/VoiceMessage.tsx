import { ActionIcon, Alert, Button, Group, Loader, Text } from "@mantine/core";
import { IconMicrophone, IconPlayerStop, IconSend, IconTrash } from "@tabler/icons-react";
import { useEffect, useRef, useState } from "react";
import { useClient } from "urql";
import type { Problem } from "../../../../frame/api/errors";
import { isProblem, uploadList } from "../../../../frame/files/upload";
import { useFormat } from "../../../../frame/values/format";
import { useTranslation } from "../../../../frame/i18n";
import { ProblemNotice } from "../../../../frame/ui/page/ProblemNotice";
import { InboxForgetFile } from "../../documents";
import classes from "../../inbox.module.css";
import type { SentFile } from "../../outbox";
import { MOST_SECONDS, useRecording } from "./useRecording";

const EVERY_MS = 200;

interface Props {
  onSend: (file: SentFile) => void;
  onClose: () => void;
}

/** Records a voice message, which is listened to before it is sent. */
export default function VoiceMessage({ onSend, onClose }: Props) {
  const { t } = useTranslation();
  const { state, stop } = useRecording();
  if (state.at === "refused") {
    return (
      <Alert
        color="orange"
        role="alert"
        withCloseButton
        onClose={onClose}
        closeButtonLabel={t("common.close")}
      >
        {t(`inbox.voice.refusals.${state.why}`)}
      </Alert>
    );
  }
  return (
    <div role="group" aria-label={t("inbox.kinds.voice")} className={classes.voice}>
      {state.at === "asking" && (
        <>
          <Loader size="xs" />
          <Text size="sm" role="status" flex={1}>
            {t("inbox.voice.asking")}
          </Text>
          <Discard onClick={onClose} />
        </>
      )}
      {state.at === "recording" && <Running since={state.since} onStop={stop} onCancel={onClose} />}
      {state.at === "recorded" && <Listen key={state.url} {...state} onSend={onSend} onCancel={onClose} />}
    </div>
  );
}

function Running({ since, onStop, onCancel }: { since: number; onStop: () => void; onCancel: () => void }) {
  const { t } = useTranslation();
  const [seconds, setSeconds] = useState(0);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => button.current?.focus(), []);
  useEffect(() => {
    const timer = setInterval(() => {
      const passed = (performance.now() - since) / 1000;
      setSeconds(passed);
      if (passed >= MOST_SECONDS) onStop();
    }, EVERY_MS);
    return () => clearInterval(timer);
  }, [since, onStop]);
  return (
    <>
      <IconMicrophone size={18} color="var(--console-failed)" aria-hidden />
      <Text size="sm" flex={1}>
        <span role="status">{t("inbox.voice.recording")}</span>{" "}
        <span role="timer">
          {clockOf(seconds)} / {clockOf(MOST_SECONDS)}
        </span>
      </Text>
      <Discard onClick={onCancel} />
      <Button ref={button} variant="default" leftSection={<IconPlayerStop size={14} />} onClick={onStop}>
        {t("inbox.voice.stop")}
      </Button>
    </>
  );
}

interface ListenProps {
  recorded: { file: File; kind: "voice" | "file" };
  url: string;
  seconds: number;
  onSend: (file: SentFile) => void;
  onCancel: () => void;
}

function Listen({ recorded, url, seconds, onSend, onCancel }: ListenProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const client = useClient();
  const button = useRef<HTMLButtonElement>(null);
  const [share, setShare] = useState<number | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  useEffect(() => button.current?.focus(), []);
  // A file that was uploaded for a message that is not sent any more is of no use to anybody.
  const left = useRef(false);
  useEffect(() => {
    left.current = false;
    return () => {
      left.current = true;
    };
  }, []);

  async function send() {
    setProblem(null);
    setShare(0);
    const answer = await uploadList(client, recorded.file, setShare);
    if (!isProblem(answer) && left.current)
      void client.mutation(InboxForgetFile, { id: answer.uuid }).toPromise();
    if (left.current) return;
    setShare(null);
    if (isProblem(answer)) setProblem(answer);
    else onSend({ uuid: answer.uuid, name: answer.name, kind: recorded.kind });
  }

  return (
    <div className={classes.recorded}>
      {problem && <ProblemNotice problem={problem} onRetry={() => void send()} />}
      <Group gap={6} wrap="nowrap">
        <audio controls src={url} aria-label={t("inbox.voice.listen")} className={classes.heard} />
        <Discard onClick={onCancel} />
        <ActionIcon
          ref={button}
          size={34}
          aria-label={t("inbox.voice.send")}
          title={t("inbox.voice.send")}
          loading={share !== null}
          onClick={() => void send()}
        >
          <IconSend size={18} />
        </ActionIcon>
      </Group>
      <Text size="xs" c="dimmed" role="status">
        {share !== null
          ? t("inbox.uploading", { name: recorded.file.name, share: format.percent(share) })
          : t(`inbox.voice.as.${recorded.kind}`, { time: clockOf(seconds) })}
      </Text>
    </div>
  );
}

function Discard({ onClick }: { onClick: () => void }) {
  const { t } = useTranslation();
  return (
    <ActionIcon
      size={34}
      variant="subtle"
      color="gray"
      aria-label={t("inbox.voice.discard")}
      title={t("inbox.voice.discard")}
      onClick={onClick}
    >
      <IconTrash size={18} />
    </ActionIcon>
  );
}

/** Minutes and seconds, as a player shows them. */
function clockOf(seconds: number): string {
  const whole = Math.floor(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}
