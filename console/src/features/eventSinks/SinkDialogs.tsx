import { useTranslation } from "../../frame/i18n";
import { Question } from "../../frame/ui/dialogs/Question";
import { ChangeEventSink, DeleteEventSink } from "./documents";
import { ReplayDialog } from "./ReplayDialog";
import { SinkDialog } from "./SinkDialog";
import { TestedDialog, type Tested } from "./TestedDialog";
import type { SinkRow } from "./useEventSinks";

export type Opened =
  | { what: "add" }
  | { what: "edit" | "off" | "remove" | "replay"; row: SinkRow }
  | { what: "tested"; row: SinkRow; tested: Tested };

interface Props {
  opened: Opened | null;
  /** receives the notice to show afterwards */
  onDone: (notice: string) => void;
  onClose: () => void;
}

/** The dialog of the page that is open. */
export function SinkDialogs({ opened, onDone, onClose }: Props) {
  const { t } = useTranslation();
  if (!opened) return null;
  if (opened.what === "add") {
    return <SinkDialog row={null} onDone={() => onDone(t("eventSinks.added"))} onClose={onClose} />;
  }
  const { row } = opened;
  const { name } = row;
  switch (opened.what) {
    case "edit":
      return <SinkDialog row={row} onDone={() => onDone(t("eventSinks.changed"))} onClose={onClose} />;
    case "tested":
      return <TestedDialog name={name} tested={opened.tested} onClose={onClose} />;
    case "replay":
      return <ReplayDialog row={row} onDone={onDone} onClose={onClose} />;
    case "off":
      return (
        <Question
          title={t("eventSinks.offTitle", { name })}
          question={t("eventSinks.offText")}
          action={t("eventSinks.switchOff")}
          mutation={ChangeEventSink}
          variables={{ id: row.uuid, input: { enabled: false } }}
          onDone={() => onDone(t("eventSinks.nowOff", { name }))}
          onClose={onClose}
        />
      );
    case "remove":
      return (
        <Question
          title={t("eventSinks.removeTitle", { name })}
          question={t("eventSinks.removeText")}
          action={t("eventSinks.remove")}
          mutation={DeleteEventSink}
          variables={{ id: row.uuid }}
          onDone={() => onDone(t("eventSinks.removed", { name }))}
          onClose={onClose}
        />
      );
  }
}
