import { Alert, Button, Group } from "@mantine/core";
import { useEffect, useRef, useState, type ReactNode } from "react";
import { useTranslation } from "../../i18n";

interface Leaving {
  /** for Escape, the cross, and a click beside the dialog */
  leave: () => void;
  /** the question, which stands in the dialog; null while nobody has tried to leave */
  question: ReactNode;
  /** takes the question back, when what was typed is gone or saved */
  forget: () => void;
}

/** Lets a dialog be closed at once only while nothing was typed into it; otherwise it asks, and what was typed stays. */
export function useLeaving(isDirty: () => boolean, onClose: () => void): Leaving {
  const [asking, setAsking] = useState(false);
  return {
    leave: () => (isDirty() ? setAsking(true) : onClose()),
    forget: () => setAsking(false),
    question: asking ? <Asking onStay={() => setAsking(false)} onDiscard={onClose} /> : null,
  };
}

function Asking({ onStay, onDiscard }: { onStay: () => void; onDiscard: () => void }) {
  const { t } = useTranslation();
  const stay = useRef<HTMLButtonElement>(null);
  useEffect(() => stay.current?.focus(), []);
  return (
    <Alert color="orange" role="alert" title={t("leaving.title")}>
      <Group gap="xs" mt={4} mb={4}>
        <Button variant="default" onClick={onDiscard}>
          {t("leaving.discard")}
        </Button>
        <Button ref={stay} onClick={onStay}>
          {t("leaving.stay")}
        </Button>
      </Group>
    </Alert>
  );
}
