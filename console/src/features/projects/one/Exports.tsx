import { Exports as ExportFiles } from "../../../frame/files/Exports";
import { useTranslation } from "../../../frame/i18n";
import { useViewer } from "../../../frame/session";
import classes from "../projects.module.css";
import type { Project } from "./model";

const SOURCES = [
  { source: "messages", permission: "messages:read" },
  { source: "recipients", permission: "recipients:read" },
] as const;

/** Files with the messages or the recipients of the project. */
export function Exports({ project }: { project: Project }) {
  const { t } = useTranslation();
  const { may } = useViewer();
  const sources = SOURCES.filter(({ permission }) => may("exports:write") && may(permission));
  return (
    <div className={classes.onScreen}>
      <ExportFiles
        title={t("project.exports")}
        empty={t("project.noExports")}
        sources={sources.map(({ source }) => ({ source, label: t(`project.exportSources.${source}`) }))}
        where={{ sendingProjectUuid: { eq: project.uuid } }}
        project={project.uuid}
      />
    </div>
  );
}
