import { useEffect, useState } from "react";
import { Text } from "@mantine/core";
import { useTranslation } from "../i18n";
import { styleNonce } from "../nonce";
import { previewDocument } from "./htmlPreview";
import classes from "./htmlFrame.module.css";

interface Props {
  html: string;
  title: string;
  /** as a mail client with dark colors shows it */
  dark?: boolean;
}

/** Shows HTML that is not the console's in a frame that runs nothing and loads nothing. */
export function HtmlFrame({ html, title, dark = false }: Props) {
  const { t } = useTranslation();
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => {
    const made = URL.createObjectURL(
      new Blob([previewDocument(html, styleNonce, dark)], { type: "text/html;charset=utf-8" }),
    );
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [html, dark]);
  if (!url) return null;
  return (
    <div>
      <iframe className={classes.frame} data-dark={dark || undefined} sandbox="" src={url} title={title} />
      {/<img\b/i.test(html) && (
        <Text size="xs" c="dimmed" mt={4}>
          {t("htmlFrame.noPictures")}
        </Text>
      )}
    </div>
  );
}
