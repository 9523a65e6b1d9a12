import { Text } from "@mantine/core";
import { useFormat } from "../../../../../frame/values/format";
import { useTranslation } from "../../../../../frame/i18n";
import { HtmlFrame } from "../../../../../frame/ui/HtmlFrame";
import { snippetOf } from "../../../../../frame/liquid/snippet";
import classes from "./phone.module.css";

interface Props {
  subject: string | null;
  body: string;
  html: string | null;
}

/** An email as its recipient meets it: the line of the inbox, then the HTML above the plain text. */
export function EmailPreview({ subject, body, html }: Props) {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <>
      <figure className={classes.inbox} aria-label={t("making.inInbox")}>
        <span className={classes.avatar} aria-hidden />
        <div className={classes.line}>
          <div className={classes.from}>
            <strong>{t("making.sender.email")}</strong>
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
      <div className={classes.sides} data-both={(html && body) || undefined}>
        {html && (
          <div>
            <Text size="xs" c="dimmed" mb={4}>
              HTML
            </Text>
            <HtmlFrame html={html} title={t("making.htmlPreview")} />
          </div>
        )}
        {body && (
          <div>
            <Text size="xs" c="dimmed" mb={4}>
              {t(html ? "making.textPart" : "making.plainText")}
            </Text>
            <div dir="auto" className={classes.plain}>
              {body}
            </div>
          </div>
        )}
      </div>
      {html && !body && (
        <Text size="xs" c="dimmed">
          {t("making.noTextPart")}
        </Text>
      )}
    </>
  );
}
