import { Alert } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "../../i18n";

/** Keeps the message that a page shows after an action: `show` replaces it, `dismiss` removes it. */
export function useNotice() {
  const [message, setMessage] = useState<string | null>(null);
  return { message, show: (text: string) => setMessage(text), dismiss: () => setMessage(null) };
}

interface Props {
  /** nothing is shown without a message */
  message: string | null;
  /** if it is there, the notice has a button that closes it */
  onDismiss?: () => void;
  /** teal, unless something ended */
  color?: "teal" | "orange";
}

/** Reports that an action succeeded; a screen reader announces it. */
export function Notice({ message, onDismiss, color = "teal" }: Props) {
  const { t } = useTranslation();
  if (!message) return null;
  return (
    <Alert
      color={color}
      role="status"
      {...(onDismiss && { withCloseButton: true, closeButtonLabel: t("common.close"), onClose: onDismiss })}
    >
      {message}
    </Alert>
  );
}
