import { useTranslation } from "../../frame/i18n";
import { useForecast } from "../../frame/values/forecast";
import { useFormat } from "../../frame/values/format";
import type { ProjectRowFragment } from "../../gql/graphql";

/** Says in one sentence what a project does now, or why it does nothing. */
export function useStory(): (project: ProjectRowFragment) => string {
  const { t, textOr } = useTranslation();
  const format = useFormat();
  const forecast = useForecast();
  return (project) => {
    const { status, statusReason, resumeAt, progress, startAt, finishedAt, followsUuid, counts } = project;
    const again = resumeAt ? t("projects.story.again", { time: format.time(resumeAt) }) : "";
    if (statusReason && (status === "paused" || status === "running")) {
      return [textOr(`overview.pauseReasons.${statusReason}`, statusReason), again].filter(Boolean).join(" ");
    }
    if (status === "draft") return t("projects.story.draft");
    if (status === "scheduled" && startAt) {
      return t("projects.story.scheduled", { time: format.time(startAt) });
    }
    if (status === "running") {
      if (progress?.preparing) return t("projects.story.preparing");
      // It runs until the other project is over, also while it has nothing to send.
      if (followsUuid && counts.queued + counts.sending === 0) return t("projects.story.follows");
      return forecast(progress) || t("projects.story.running");
    }
    if (status === "stopped") {
      const reason = statusReason ? textOr(`overview.pauseReasons.${statusReason}`, statusReason) : "";
      return [reason, t("projects.story.stopped")].filter(Boolean).join(" ");
    }
    if (status === "finished" && finishedAt) {
      return t("projects.story.finished", { time: format.time(finishedAt) });
    }
    return "";
  };
}
