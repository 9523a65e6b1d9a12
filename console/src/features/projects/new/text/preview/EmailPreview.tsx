import { Text } from "@mantine/core";
import { useFormat } from "../../../../../frame/values/format";
import { useTranslation } from "../../../../../frame/i18n";
import { LetterScreen } from "../../../../../frame/ui/letter/LetterScreen";
import { snippetOf } from "../../../../../frame/liquid/snippet";
import classes from "./phone.module.css";

interface Props {
  subject: string | null;
  body: string;
  html: string | null;
  /** who sends it, as the inbox shows it; default: words for it */
  from?: string | null;
  /** whether the plain text was made from the HTML */
  isMade?: boolean;
}

/** An email as its recipient meets it: the line of the inbox, then the HTML above the plain text. */
export function EmailPreview({ subject, body, html, from, isMade = false }: Props) {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <>
      <figure className={classes.inbox} aria-label={t("making.inInbox")}>
        <span className={classes.avatar} aria-hidden />
        <div className={classes.line}>
          <div className={classes.from}>
            <strong>{from ?? t("making.sender.email")}</strong>
            <span>{format.clock(new Date())}</span>
          </div>
          <div dir="auto" className={classes.subject} data-empty={!subject || undefined}>
            {subject ?? t("making.noSubject")}
          </div>
          <div dir="auto" className={classes.snippet}>
            {snippetOf(body, html)}
          </div>
        </div>
      </figure>
      {html && <LetterScreen html={html} title={t("making.htmlPreview")} />}
      {body && (
        <details open={!html}>
          <summary>
            <Text span size="xs" c="dimmed">
              {t(html ? "making.textPart" : "making.plainText")}
              {isMade && ` · ${t("making.madeFromHtml")}`}
            </Text>
          </summary>
          <div dir="auto" className={classes.plain}>
            {body}
          </div>
        </details>
      )}
    </>
  );
}
