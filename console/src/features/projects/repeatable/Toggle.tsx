import { Switch } from "@mantine/core";
import { useState } from "react";
import { useClient } from "urql";
import { problemOf, type Problem } from "../../../frame/api/errors";
import { useBilling } from "../../../frame/billing";
import { useTranslation } from "../../../frame/i18n";
import { Confirm } from "../../../frame/ui/dialogs/Confirm";
import { useViewer } from "../../../frame/session";
import type { RepeatableRowFragment } from "../../../gql/graphql";
import { StartRepeatable, StopRepeatable } from "./documents";

interface Props {
  project: Pick<RepeatableRowFragment, "uuid" | "name" | "status">;
  onChanged: () => void;
}

/** Switches a schedule on or off, after a question. */
export function Toggle({ project, onChanged }: Props) {
  const { t } = useTranslation();
  const isFree = useBilling() === "off";
  const { may } = useViewer();
  const client = useClient();
  const [asking, setAsking] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const on = project.status === "active";
  const close = () => {
    setAsking(false);
    setProblem(null);
  };
  async function change() {
    setProblem(null);
    const { error } = await client
      .mutation<unknown, { id: string }>(on ? StopRepeatable : StartRepeatable, { id: project.uuid })
      .toPromise();
    if (error) {
      setProblem(problemOf(error));
    } else {
      close();
      onChanged();
    }
  }
  return (
    <>
      <Switch
        checked={on}
        disabled={!may("projects:send")}
        onChange={() => setAsking(true)}
        label={t(`repeatable.states.${project.status}`)}
        aria-label={t("repeatable.switchOf", { name: project.name })}
      />
      <Confirm
        opened={asking}
        title={t(on ? "repeatable.stopTitle" : "repeatable.startTitle", { name: project.name })}
        question={t(
          on ? "repeatable.stopText" : isFree ? "repeatable.startTextFree" : "repeatable.startText",
        )}
        action={t(on ? "repeatable.off" : "repeatable.on")}
        problem={problem}
        onConfirm={change}
        onClose={close}
      />
    </>
  );
}
