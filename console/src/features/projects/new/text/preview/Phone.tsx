import { IconPaperclip } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { useBilling } from "../../../../../frame/billing";
import { useFormat } from "../../../../../frame/values/format";
import { useTranslation } from "../../../../../frame/i18n";
import { withMarks } from "../../../../../frame/values/marks";
import type { Draft } from "../../draft";
import classes from "./phone.module.css";
import { partsOfSms } from "./segments";

export interface Shown {
  channel: Draft["channel"];
  /** the title of a push message */
  title: string | null;
  body: string;
  /** the encoding and the number of parts of an SMS, as they are charged */
  encoding: string | null;
  segments: number | null;
  /** names of the attached files */
  files: readonly string[];
}

/** A message on a phone as its recipient sees it. */
export function Phone({ message }: { message: Shown }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { channel } = message;
  const now = format.clock(new Date());
  return (
    <figure className={classes.phone} data-channel={channel} aria-label={t("making.onPhone")}>
      <div className={classes.status} aria-hidden>
        <span>{now}</span>
        <span className={classes.island} />
        <span className={classes.battery} />
      </div>
      {channel === "push" ? (
        <div className={classes.lock}>
          <div className={classes.clock} aria-hidden>
            {now}
          </div>
          <div className={classes.notification}>
            <span className={classes.app} aria-hidden />
            <div className={classes.notificationText}>
              {message.title && (
                <strong dir="auto" className={classes.title}>
                  {message.title}
                </strong>
              )}
              <div dir="auto" className={classes.clamped}>
                {message.body}
              </div>
            </div>
          </div>
        </div>
      ) : (
        <>
          <div className={classes.head} aria-hidden>
            <span className={classes.avatar} />
            <span>{t(`making.sender.${channel === "email" ? "sms" : channel}`)}</span>
          </div>
          <div className={classes.chat}>
            <Bubble message={message}>
              {channel !== "sms" && (
                <span className={classes.time} aria-hidden>
                  {now}
                </span>
              )}
            </Bubble>
          </div>
        </>
      )}
    </figure>
  );
}

function Bubble({ message, children }: { message: Shown; children: ReactNode }) {
  const { t } = useTranslation();
  const isFree = useBilling() === "off";
  const { body, encoding, segments, files } = message;
  const parts = encoding === "gsm" || encoding === "ucs2" ? partsOfSms(body, encoding) : [body];
  // What is charged is the server's to say: if its parts are others, none are drawn.
  const drawn = parts.length === segments ? parts : [body];
  return (
    <div className={classes.bubble}>
      {files.map((name, index) => (
        <div key={index} className={classes.file}>
          <IconPaperclip size={14} aria-hidden />
          <span>{withMarks(name)}</span>
        </div>
      ))}
      <div dir="auto" className={classes.body}>
        {drawn.length === 1
          ? body
          : drawn.map((part, index) => (
              <span key={index} className={classes.part}>
                {part}
                <sub
                  className={classes.number}
                  title={t(isFree ? "making.partFree" : "making.part", {
                    number: index + 1,
                    count: drawn.length,
                  })}
                >
                  {index + 1}/{drawn.length}
                </sub>
              </span>
            ))}
      </div>
      {children}
    </div>
  );
}
