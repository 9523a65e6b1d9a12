import { Button } from "@mantine/core";
import { IconCalendarOff } from "@tabler/icons-react";
import { useState } from "react";
import { useBilling } from "../../../frame/billing";
import { useTranslation } from "../../../frame/i18n";
import { Question } from "../../../frame/ui/dialogs/Question";
import { CancelMessage } from "../documents";

interface Props {
  uuid: string;
  /** called with whether it is canceled; a provider may be faster than the answer */
  onEnd: (canceled: boolean) => void;
}

/** Cancels a message that no provider has yet, after one question. */
export function CancelButton({ uuid, onEnd }: Props) {
  const { t } = useTranslation();
  const isFree = useBilling() === "off";
  const [asking, setAsking] = useState(false);
  function end(canceled: boolean) {
    setAsking(false);
    onEnd(canceled);
  }
  return (
    <>
      <Button variant="default" leftSection={<IconCalendarOff size={14} />} onClick={() => setAsking(true)}>
        {t("message.cancel")}
      </Button>
      {asking && (
        <Question
          title={t("message.cancelTitle")}
          question={t(isFree ? "message.cancelTextFree" : "message.cancelText")}
          action={t("message.cancel")}
          keep={t("message.cancelKeep")}
          mutation={CancelMessage}
          variables={{ id: uuid }}
          onProblem={({ code }) => {
            const isLate = code === "already_submitted";
            if (isLate) end(false);
            return isLate;
          }}
          onDone={() => end(true)}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}
