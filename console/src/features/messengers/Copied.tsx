import { Group, Text } from "@mantine/core";
import { useTranslation } from "../../frame/i18n";
import { CopyButton } from "../../frame/ui/CopyButton";
import classes from "./messengers.module.css";

/** A text to copy, such as an address or a secret. */
export function Copied({ value, label }: { value: string; label: string }) {
  const { t } = useTranslation();
  return (
    <Group gap={6} wrap="nowrap">
      <Text size="sm" className={classes.secret}>
        {value}
      </Text>
      <CopyButton small text={value} label={t("common.copyOf", { what: label })} />
    </Group>
  );
}
