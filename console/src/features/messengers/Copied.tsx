import { ActionIcon, CopyButton, Group, Text } from "@mantine/core";
import { IconCheck, IconCopy } from "@tabler/icons-react";
import { useTranslation } from "../../frame/i18n";
import classes from "./messengers.module.css";

/** A text to copy, such as an address or a secret. */
export function Copied({ value, label }: { value: string; label: string }) {
  const { t } = useTranslation();
  return (
    <Group gap={6} wrap="nowrap">
      <Text size="sm" className={classes.secret}>
        {value}
      </Text>
      <CopyButton value={value}>
        {({ copied, copy }) => (
          <ActionIcon
            variant="subtle"
            aria-label={copied ? t("common.copied") : t("messengers.copy", { what: label })}
            onClick={copy}
          >
            {copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
          </ActionIcon>
        )}
      </CopyButton>
    </Group>
  );
}
