import { Code } from "@mantine/core";
import { useTranslation } from "../../frame/i18n";
import { CopyButton } from "../../frame/ui/CopyButton";
import table from "../../frame/list/table.module.css";
import classes from "./domains.module.css";

interface Props {
  name: string;
  type?: string;
  value: string;
}

/** A record as a DNS provider asks for it, with a button that copies each part. */
export function RecordLines({ name, type = "TXT", value }: Props) {
  const { t } = useTranslation();
  return (
    <dl className={classes.record}>
      <dt>{t("domains.recordType")}</dt>
      <dd>{type}</dd>
      <dt>{t("domains.recordName")}</dt>
      <dd>
        <Code className={table.anywhere}>{name}</Code>
        <CopyButton small text={name} label={t("domains.copyName", { name })} />
      </dd>
      <dt>{t("domains.recordValue")}</dt>
      <dd>
        <Code className={table.anywhere}>{value}</Code>
        <CopyButton small text={value} label={t("domains.copyValue", { name })} />
      </dd>
    </dl>
  );
}
