import { UnstyledButton } from "@mantine/core";
import { useQuery } from "urql";
import { useTranslation } from "../../../frame/i18n";
import { InboxQuoted } from "../documents";
import classes from "../inbox.module.css";
import { textWithMarks, withMarks } from "../../../frame/values/marks";
import type { Message } from "../model";

interface Props {
  item: string;
  account: string;
  /** absent if it is older than what is loaded */
  message: Message | undefined;
  onJump: (uuid: string) => void;
}

/** The message that another one replies to. */
export function Quote({ item, account, message, onJump }: Props) {
  const { t } = useTranslation();
  const [{ data }] = useQuery({
    query: InboxQuoted,
    variables: { item, account },
    pause: message !== undefined,
  });
  const quoted = message ?? data?.messengerMessage ?? undefined;
  const body = <QuoteText message={quoted} />;
  if (!message) return <div className={classes.quote}>{body}</div>;
  return (
    <UnstyledButton className={classes.quote} title={t("inbox.jump")} onClick={() => onJump(item)}>
      {body}
    </UnstyledButton>
  );
}

export function QuoteText({ message }: { message: Message | undefined }) {
  const { t } = useTranslation();
  if (!message) return <span className={classes.ellipsis}>{t("inbox.quoteGone")}</span>;
  const file = message.content[0];
  return (
    <>
      <b className={classes.ellipsis}>
        {message.outgoing ? t("inbox.yourself") : withMarks(message.name ?? message.from ?? "")}
      </b>
      <span className={classes.ellipsis} dir="auto">
        {message.deletedAt
          ? t("inbox.deleted")
          : textWithMarks(message.text || (file ? t(`inbox.kinds.${file.type}`) : ""))}
      </span>
    </>
  );
}
