import { UnstyledButton } from "@mantine/core";
import { IconCheck } from "@tabler/icons-react";
import { useTranslation } from "../../../frame/i18n";
import { hasText, STEPS, type StepName } from "./draft";
import classes from "./new.module.css";
import type { DraftState } from "./useDraft";

interface Props {
  current: StepName;
  state: DraftState;
  onStep: (step: StepName) => void;
}

/** Where one is, and what is done. Every step can be opened, in any order. */
export function Steps({ current, state, onStep }: Props) {
  const { t } = useTranslation();
  const { draft, project } = state;
  const done: Record<StepName, boolean> = {
    audience: draft.audience !== null || (project?.recipients?.totalCount ?? 0) > 0,
    text: hasText(draft),
    // Its defaults are good for most, so passing it is enough.
    schedule: current === "check" || Boolean(draft.startAt ?? draft.window ?? draft.speed.perMinute),
    check: false,
  };
  return (
    <nav aria-label={t("making.stepsLabel")}>
      <ol className={classes.steps}>
        {STEPS.map((step, index) => (
          <li key={step}>
            <UnstyledButton
              className={classes.step}
              aria-current={step === current ? "step" : undefined}
              data-done={done[step] || undefined}
              onClick={() => onStep(step)}
            >
              <span className={classes.mark} aria-hidden>
                {done[step] ? <IconCheck size={14} stroke={2.5} /> : index + 1}
              </span>
              <span className={classes.label}>{t(`making.steps.${step}`)}</span>
              {done[step] && <span className="visually-hidden">{t("making.done")}</span>}
            </UnstyledButton>
          </li>
        ))}
      </ol>
    </nav>
  );
}
