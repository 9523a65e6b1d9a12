import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useMemo, useState } from "react";
import { useClient } from "urql";
import { problemOf, type Problem } from "../../../frame/api/errors";
import { useLoaded } from "../../../frame/api/useLoaded";
import { useFormat } from "../../../frame/values/format";
import { useTranslation } from "../../../frame/i18n";
import { useLeaving } from "../../../frame/ui/dialogs/useLeaving";
import { ProblemNotice } from "../../../frame/ui/page/ProblemNotice";
import { ProjectPlan, UpdateProject } from "../new/documents";
import { draftOf } from "../new/draft";
import type { ServerPlan } from "../new/plan/plan";
import { SpeedFields } from "../new/schedule/SpeedFields";
import { WindowEditor } from "../new/schedule/WindowEditor";
import type { Project } from "./model";

const TYPING_MS = 400;

interface Props {
  project: Project;
  onClose: () => void;
  onChanged: () => void;
}

/** Changes the speed and the hours of a project that has begun, and shows when it will be done with them. */
export function SpeedDialog({ project, onClose, onChanged }: Props) {
  const { t } = useTranslation();
  const client = useClient();
  const [first] = useState(() => draftOf(project));
  const [speed, setSpeed] = useState(first.speed);
  const [window, setWindow] = useState(first.window);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const changes = useMemo(() => ({ speed, window }), [speed, window]);
  const [settled] = useDebouncedValue(changes, TYPING_MS);
  const now = useLoaded(ProjectPlan, { id: project.uuid });
  const then = useLoaded(ProjectPlan, { id: project.uuid, changes: settled });

  const { leave, question } = useLeaving(
    () => JSON.stringify(changes) !== JSON.stringify({ speed: first.speed, window: first.window }),
    onClose,
  );

  async function save() {
    setBusy(true);
    setProblem(null);
    const { error } = await client
      .mutation(UpdateProject, { id: project.uuid, input: { speed, window } })
      .toPromise();
    setBusy(false);
    if (error) {
      setProblem(problemOf(error));
      return;
    }
    onChanged();
    onClose();
  }

  return (
    <Modal
      opened
      size="lg"
      onClose={leave}
      title={t("project.changeSpeed")}
      closeButtonProps={{ "aria-label": t("common.close") }}
    >
      <Stack gap="sm">
        <Text size="sm">{t("project.changeSpeedText")}</Text>
        <SpeedFields speed={speed} channel={project.channel} onChange={setSpeed} />
        <WindowEditor window={window} onChange={setWindow} />
        <Ends
          now={now.problem ? null : (now.data?.sendingProjectPlan ?? null)}
          then={then.problem ? null : (then.data?.sendingProjectPlan ?? null)}
          busy={then.loading || settled !== changes}
        />
        {then.problem && !problem && <ProblemNotice problem={then.problem} />}
        {problem && <ProblemNotice problem={problem} />}
        {question}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t("common.cancel")}
          </Button>
          <Button onClick={save} loading={busy}>
            {t("project.saveSpeed")}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

function Ends({ now, then, busy }: { now: ServerPlan | null; then: ServerPlan | null; busy: boolean }) {
  const { t } = useTranslation();
  const format = useFormat();
  const end = (plan: ServerPlan | null) => {
    if (!plan) return "…";
    if (plan.toSend === 0) return t("project.nothingLeft");
    if (plan.endsAt) return `≈ ${format.fullTime(plan.endsAt)}`;
    return plan.limitedBy === "route" && plan.beginsAt ? t("making.planFast") : t("project.endless");
  };
  return (
    <div role="status" aria-busy={busy}>
      <Text size="sm">
        {t("project.endsNow")}: {end(now)}
      </Text>
      <Text size="sm" fw={600}>
        {t("project.endsThen")}: {busy ? "…" : end(then)}
      </Text>
      {then && (
        <Text size="xs" c="dimmed">
          {t("project.leftToSend", { count: then.toSend, number: format.number(then.toSend) })}
        </Text>
      )}
    </div>
  );
}
