import { Textarea } from "@mantine/core";
import { useTranslation } from "../../../../frame/i18n";
import classes from "../builder.module.css";
import type { Fields } from "./fields";

export function HtmlField({ node, set }: Fields) {
  const { t } = useTranslation();
  return (
    <Textarea
      className={classes.wide}
      size="xs"
      ff="monospace"
      autosize
      minRows={4}
      maxRows={14}
      maxLength={50_000}
      spellCheck={false}
      label={t("templates.builder.code")}
      description={t("templates.builder.codeHint")}
      value={String(node.attrs.code)}
      onChange={(event) => set("code", event.currentTarget.value)}
    />
  );
}
