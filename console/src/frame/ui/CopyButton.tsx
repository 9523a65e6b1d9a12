import { ActionIcon, Button } from "@mantine/core";
import { IconCheck, IconCopy } from "@tabler/icons-react";
import { useEffect, useState } from "react";
import { useTranslation } from "../i18n";

const SHOWN_MS = 2_000;

interface Props {
  text: string;
  /** what is copied: the button's accessible name */
  label: string;
  /** only a picture, for rows of tables */
  small?: boolean;
  /** the label is written on the button */
  named?: boolean;
}

/** Copies a text, also on pages without TLS. */
export function CopyButton({ text, label, small = false, named = false }: Props) {
  const { t } = useTranslation();
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = () => void copyText(text).then(setCopied);
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
    <Button
      variant="default"
      size={named ? "xs" : "compact-xs"}
      leftSection={icon}
      aria-label={copied ? t("common.copied") : label}
      onClick={copy}
    >
      {copied ? t("common.copied") : named ? label : t("common.copy")}
    </Button>
  );
}

/** Returns whether the text was copied. Browsers have `navigator.clipboard` only with TLS or on this computer. */
async function copyText(text: string): Promise<boolean> {
  if (window.isSecureContext) {
    const written = await navigator.clipboard.writeText(text).then(
      () => true,
      () => false,
    );
    if (written) return true;
  }
  const before = document.activeElement;
  const area = document.createElement("textarea");
  area.value = text;
  area.readOnly = true;
  area.className = "visually-hidden";
  // A dialog takes back a focus that leaves it, so the field stands inside of the dialog.
  (before?.closest("[role=dialog]") ?? document.body).append(area);
  area.select();
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- without TLS, browsers have nothing else
  const copied = document.execCommand("copy");
  area.remove();
  if (before instanceof HTMLElement) before.focus();
  return copied;
}
