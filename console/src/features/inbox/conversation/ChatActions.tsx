import { Alert, Button } from "@mantine/core";
import { IconCheck, IconRotate } from "@tabler/icons-react";
import { useState } from "react";
import { useClient } from "urql";
import { problemOf, type Problem } from "../../../frame/api/errors";
import { useTranslation } from "../../../frame/i18n";
import { ProblemNotice } from "../../../frame/ui/page/ProblemNotice";
import { InboxClose, InboxReopen } from "../documents";
import type { Chat } from "../model";

interface Closing {
  /** what has to be said about the last attempt */
  notice: "none" | "stays" | Problem;
  busy: boolean;
  toggle: () => void;
  dismiss: () => void;
}

/** Closes a chat or opens it again. A message that nobody has seen keeps it open. */
export function useClosing(chat: Chat | null, newest: string | null, onChat: (chat: Chat) => void): Closing {
  const client = useClient();
  const [notice, setNotice] = useState<Closing["notice"]>("none");
  const [busy, setBusy] = useState(false);
  async function toggle() {
    if (!chat || busy) return;
    setBusy(true);
    setNotice("none");
    const open = chat.closedAt === null;
    const { data, error } = open
      ? await client.mutation(InboxClose, { id: chat.uuid, upTo: newest }).toPromise()
      : await client.mutation(InboxReopen, { id: chat.uuid }).toPromise();
    setBusy(false);
    const changed =
      data && ("closeMessengerChat" in data ? data.closeMessengerChat : data.reopenMessengerChat);
    if (error) setNotice(problemOf(error));
    else if (changed) {
      if (open && changed.closedAt === null) setNotice("stays");
      onChat(changed);
    }
  }
  return { notice, busy, toggle: () => void toggle(), dismiss: () => setNotice("none") };
}

export function CloseButton({ chat, closing }: { chat: Chat; closing: Closing }) {
  const { t } = useTranslation();
  const open = chat.closedAt === null;
  return (
    <Button
      variant="default"
      fw={500}
      loading={closing.busy}
      leftSection={open ? <IconCheck size={14} /> : <IconRotate size={14} />}
      onClick={closing.toggle}
    >
      {t(open ? "inbox.close" : "inbox.reopen")}
    </Button>
  );
}

export function ClosingNotice({ closing }: { closing: Closing }) {
  const { t } = useTranslation();
  if (closing.notice === "none") return null;
  if (closing.notice !== "stays") return <ProblemNotice problem={closing.notice} onRetry={closing.toggle} />;
  return (
    <Alert
      role="status"
      color="yellow"
      py={8}
      radius={0}
      withCloseButton
      closeButtonLabel={t("common.close")}
      onClose={closing.dismiss}
    >
      {t("inbox.staysOpen")}
    </Alert>
  );
}
