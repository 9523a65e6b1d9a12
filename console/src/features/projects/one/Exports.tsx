import { Exports as ExportFiles } from "../../../frame/files/Exports";
import { useTranslation } from "../../../frame/i18n";
import classes from "../projects.module.css";
import type { Project } from "./model";

const SOURCES = ["messages", "recipients"] as const;

/** Files with the messages or the recipients of the project. */
export function Exports({ project }: { project: Project }) {
  const { t } = useTranslation();
  return (
    <div className={classes.onScreen}>
      <ExportFiles
        title={t("project.exports")}
        empty={t("project.noExports")}
        sources={SOURCES.map((source) => ({ source, label: t(`project.exportSources.${source}`) }))}
        where={{ sendingProjectUuid: { eq: project.uuid } }}
        project={project.uuid}
      />
    </div>
  );
}
