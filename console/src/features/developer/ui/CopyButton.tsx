import { ActionIcon, Button } from "@mantine/core";
import { IconCheck, IconCopy } from "@tabler/icons-react";
import { useEffect, useState } from "react";
import { useTranslation } from "../../../frame/i18n";

const SHOWN_MS = 2_000;

interface Props {
  text: string;
  /** what is copied: the button's accessible name */
  label: string;
  /** only a picture, for rows of tables */
  small?: boolean;
}

/** Copies a text. Browsers let pages do so only with TLS or on this computer; otherwise there is no button. */
export function CopyButton({ text, label, small = false }: Props) {
  const { t } = useTranslation();
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [copied]);
  if (!window.isSecureContext) return null;
  const copy = () => void navigator.clipboard.writeText(text).then(() => setCopied(true));
  const icon = copied ? <IconCheck size={14} /> : <IconCopy size={14} />;
  if (small) {
    return (
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={copied ? t("common.copied") : label}
        onClick={copy}
      >
        {icon}
      </ActionIcon>
    );
  }
  return (
    <Button variant="default" size="compact-xs" leftSection={icon} aria-label={label} onClick={copy}>
      {copied ? t("common.copied") : t("developer.copy")}
    </Button>
  );
}
