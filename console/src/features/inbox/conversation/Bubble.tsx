import { ActionIcon, Anchor, Button, Text } from "@mantine/core";
import { IconArrowBackUp } from "@tabler/icons-react";
import { memo } from "react";
import { useTranslation } from "../../../frame/i18n";
import { useFormat } from "../../../frame/values/format";
import { textWithMarks, withMarks } from "../../../frame/values/marks";
import { useNextStep } from "../../../frame/ui/page/nextStep";
import type { Problem } from "../../../frame/api/errors";
import { Files } from "./Files";
import classes from "../inbox.module.css";
import { isTemplate, partsOf, type Message } from "../model";
import type { Outgoing } from "../outbox";
import { Quote } from "./Quote";
import { Ticks } from "./Ticks";

interface Props {
  message: Message;
  account: string;
  /** whether the sender's name is shown: in chats of several people */
  named: boolean;
  quoted: Message | undefined;
  onReply?: (message: Message) => void;
  onJump: (uuid: string) => void;
  /** absent if the message has been sent again */
  onAgain?: (message: Message) => void;
}

/** A message of the conversation: incoming ones are on the left, those of the account on the right. */
export const Bubble = memo(function Bubble(props: Props) {
  const { message, account, named, quoted, onReply, onJump, onAgain } = props;
  const { t } = useTranslation();
  const format = useFormat();
  const failed = message.status === "errored";
  return (
    <li
      id={`m-${message.uuid}`}
      className={classes.item}
      data-outgoing={message.outgoing || undefined}
      data-failed={failed || undefined}
    >
      <div className={classes.bubble}>
        {named && !message.outgoing && (
          <Text size="xs" fw={600}>
            <bdi>{withMarks(message.name ?? message.from ?? "")}</bdi>
          </Text>
        )}
        {message.replyTo && (
          <Quote item={message.replyTo} account={account} message={quoted} onJump={onJump} />
        )}
        {message.deletedAt ? <i>{t("inbox.deleted")}</i> : <Files content={message.content} />}
        {message.text && <MessageText text={message.text} />}
        {isTemplate(message) && <i>{t("inbox.template.sent")}</i>}
        <span className={classes.foot}>
          {message.editedAt && <span>{t("inbox.edited")}</span>}
          <time dateTime={message.at} title={format.fullTime(message.at)}>
            {format.clock(message.at)}
          </time>
          {message.outgoing && <Ticks status={message.status} />}
        </span>
        {message.reactions.length > 0 && (
          <span className={classes.reactions}>
            {message.reactions.map(({ from, emoji }) => (
              <span key={from} title={from}>
                {emoji}
              </span>
            ))}
          </span>
        )}
        {failed && (
          <div className={classes.failure}>
            <Text size="xs">
              {t(message.failureCode === "unknown" ? "inbox.uncertain" : "inbox.failed")}{" "}
              {message.failureReason}
            </Text>
            {message.text && message.content.length === 0 && onReply && onAgain && (
              <Button variant="default" size="compact-xs" onClick={() => onAgain(message)}>
                {t("inbox.sendAgain")}
              </Button>
            )}
          </div>
        )}
      </div>
      {onReply && !message.deletedAt && !failed && message.status !== "pending" && (
        <ActionIcon
          variant="subtle"
          color="gray"
          className={classes.reply}
          aria-label={t("inbox.replyTo", { text: (message.text || t("inbox.kinds.file")).slice(0, 40) })}
          title={t("inbox.reply")}
          onClick={() => onReply(message)}
        >
          <IconArrowBackUp size={16} />
        </ActionIcon>
      )}
    </li>
  );
});

interface SendingProps {
  entry: Outgoing;
  onAgain: () => void;
  onDiscard: () => void;
}

/** A message that is being sent, or that could not be sent. */
export function SendingBubble({ entry, onAgain, onDiscard }: SendingProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const { problem } = entry;
  return (
    <li className={classes.item} data-outgoing data-failed={problem ? true : undefined}>
      <div className={classes.bubble}>
        {entry.files.map(({ uuid, name }) => (
          <Text key={uuid} size="sm">
            {withMarks(name)}
          </Text>
        ))}
        {entry.text && <MessageText text={entry.text} />}
        <span className={classes.foot}>
          <time dateTime={entry.at}>{format.clock(entry.at)}</time>
          <Ticks status={problem ? "errored" : "sending"} />
        </span>
        {problem && (
          <div className={classes.failure}>
            <Failure problem={problem} />
            <Button variant="default" size="compact-xs" onClick={onAgain}>
              {t("common.tryAgain")}
            </Button>{" "}
            <Button variant="subtle" color="gray" size="compact-xs" onClick={onDiscard}>
              {t("inbox.discard")}
            </Button>
          </div>
        )}
      </div>
    </li>
  );
}

function Failure({ problem }: { problem: Problem }) {
  const { t } = useTranslation();
  const next = useNextStep(problem);
  const summary = t(problem.code === "uncertain" ? "inbox.uncertain" : "inbox.failed");
  return (
    <div role="alert">
      <Text size="xs">
        {summary} {problem.message || t("errors.noAnswer")} {next}
      </Text>
      {problem.requestId && (
        <Text size="xs" c="dimmed">
          {t("errors.requestId")} {problem.requestId}
        </Text>
      )}
    </div>
  );
}

function MessageText({ text }: { text: string }) {
  return (
    <div className={classes.text} dir="auto">
      {partsOf(text).map((part, index) =>
        part.href ? (
          <Anchor
            key={index}
            inherit
            href={part.href}
            target="_blank"
            rel="noreferrer noopener"
            underline="always"
          >
            {textWithMarks(part.text)}
          </Anchor>
        ) : (
          textWithMarks(part.text)
        ),
      )}
    </div>
  );
}
