import { Anchor, Text } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { Suspense, useState } from "react";
import { lazyFile } from "../../../../frame/api/consoleFiles";
import { useTranslation } from "../../../../frame/i18n";
import { useVisibleInterval } from "../../../../frame/ui/useInterval";
import { useFormat } from "../../../../frame/values/format";
import classes from "../../inbox.module.css";
import type { Account, Chat } from "../../model";
import type { Sent } from "./TemplateDialog";
import { windowOf } from "./window";

const TemplateDialog = lazyFile(() => import("./TemplateDialog"));
const CLOCK_MS = 20_000;

interface Props {
  account: Account;
  chat: Chat | null;
  /** where a template goes: the chat's thread or an address */
  to: string;
  name: string;
  onSent: (message: Sent) => void;
}

/** Says above the composer until when WhatsApp Cloud takes a text, and sends a template at any time. */
export function WindowNotice({ account, chat, to, name, onSent }: Props) {
  const { t } = useTranslation();
  const format = useFormat();
  const [clock, setClock] = useState(() => Date.now());
  useVisibleInterval(() => setClock(Date.now()), CLOCK_MS);
  const [writing, setWriting] = useState(false);
  const window = windowOf(account, chat, clock);
  if (!window) return null;
  const closed = window.state === "closed";
  return (
    <div className={classes.window} data-closed={closed || undefined} role={closed ? "alert" : "note"}>
      {closed && <IconAlertTriangle size={16} aria-hidden />}
      <Text size="xs" component="span">
        {window.state === "open" && t("inbox.window.open", { time: format.time(window.until) })}
        {window.state === "unknown" && t("inbox.window.unknown", { name })}
        {window.state === "closed" &&
          t("inbox.window.closed", { name, time: format.time(window.since) })}{" "}
        <Anchor component="button" type="button" size="xs" onClick={() => setWriting(true)}>
          {t("inbox.template.send")}
        </Anchor>
      </Text>
      {writing && (
        <Suspense>
          <TemplateDialog
            account={account.uuid}
            to={to}
            name={name}
            onSent={(message) => {
              setWriting(false);
              onSent(message);
            }}
            onClose={() => setWriting(false)}
          />
        </Suspense>
      )}
    </div>
  );
}
