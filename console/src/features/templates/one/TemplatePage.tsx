import "../styles";
import { Alert, Anchor, Badge, Breadcrumbs, Button, Loader, Stack } from "@mantine/core";
import { IconArchive, IconArchiveOff, IconPencil, IconTrash } from "@tabler/icons-react";
import { useState } from "react";
import { Link, useNavigate, useParams, useSearchParams } from "react-router";
import { useClient } from "urql";
import { problemOf, type Problem } from "../../../frame/api/errors";
import { useLoaded } from "../../../frame/api/useLoaded";
import { ObjectHistory } from "../../../frame/audit/ObjectHistory";
import { useTranslation } from "../../../frame/i18n";
import { usePagedQuery } from "../../../frame/list/PagedList";
import { useChangeParams } from "../../../frame/search/useChangeParams";
import { useViewer } from "../../../frame/session";
import { Question } from "../../../frame/ui/dialogs/Question";
import { NotFound } from "../../../frame/ui/page/NotFound";
import { Notice, useNotice } from "../../../frame/ui/page/Notice";
import { PageHead } from "../../../frame/ui/page/PageHead";
import { ProblemNotice } from "../../../frame/ui/page/ProblemNotice";
import { usePageTitle } from "../../../frame/ui/page/usePageTitle";
import type { OneTemplateQuery, VersionTextsFragment } from "../../../gql/graphql";
import { TemplateDialog } from "../TemplateDialog";
import {
  ArchiveTemplate,
  DeleteTemplate,
  OneTemplate,
  OneVersion,
  UnarchiveTemplate,
  VersionPage,
} from "./documents";
import { Editor } from "./Editor";
import { ForProject, stepOfProject } from "./ForProject";
import { Published } from "./Published";
import { UsedBy } from "./UsedBy";
import { Versions } from "./Versions";

type Template = NonNullable<OneTemplateQuery["template"]>;

const PAGE = 50;

export default function TemplatePage() {
  const { uuid = "" } = useParams();
  return <OnePage key={uuid} uuid={uuid} />;
}

function OnePage({ uuid }: { uuid: string }) {
  const { t } = useTranslation();
  const { data, problem, loading, reload } = useLoaded(OneTemplate, { id: uuid });
  usePageTitle(data?.template?.name ?? t("nav.templates"));
  if (data?.template) return <Shown template={data.template} reload={reload} />;
  if (loading) return <Loader size="sm" aria-label={t("common.loading")} />;
  if (!problem || problem.code === "template_not_found" || problem.code === "bad_id") {
    return <NotFound text={t("templates.notFound")} />;
  }
  return <ProblemNotice problem={problem} onRetry={reload} />;
}

/** A template: its versions, and the one that is open. */
function Shown({ template, reload }: { template: Template; reload: () => void }) {
  const { t } = useTranslation();
  const { may: has } = useViewer();
  const [params] = useSearchParams();
  const project = params.get("for");
  const change = useChangeParams();
  const notice = useNotice();
  const { list, state } = usePagedQuery(
    `template-versions?${template.uuid}`,
    VersionPage,
    (after) => ({ first: PAGE, after, where: { templateId: { eq: template.uuid } } }),
    (data) => data.templateVersions,
    { pollWith: "update" },
  );
  const { rows, complete, problem } = state;
  const isRead = complete || rows.length > 0;
  // What is open stays open while others save: the newest draft of when the page was read, else the newest version.
  const [first, setFirst] = useState<string | null>();
  if (first === undefined && isRead) {
    setFirst((rows.find(({ number }) => number == null) ?? rows[0])?.uuid ?? null);
  }
  const [made, setMade] = useState<string | null>(null);
  const open = params.get("version") ?? first ?? null;

  function saved(version: VersionTextsFragment) {
    notice.dismiss();
    if (open === null) setMade(version.uuid);
    change({ version: version.uuid }, true);
    void list.reload();
  }

  return (
    <Stack gap="sm">
      <Breadcrumbs>
        <Anchor component={Link} to="/templates" size="sm">
          {t("nav.templates")}
        </Anchor>
        {project && (
          <Anchor component={Link} to={stepOfProject(project)} size="sm">
            {t("templates.toProject")}
          </Anchor>
        )}
      </Breadcrumbs>
      <Head template={template} reload={reload} onNotice={notice.show} />
      <Notice message={notice.message} onDismiss={notice.dismiss} />
      {project && template.version != null && !template.archivedAt && (
        <ForProject template={template} project={project} />
      )}
      {template.archivedAt && <Alert color="gray">{t("templates.isArchived")}</Alert>}
      {problem && !isRead && <ProblemNotice problem={problem} onRetry={() => void list.retry()} />}
      {isRead && (
        <OpenVersion
          // A draft that was just saved for the first time goes on where it is.
          key={open === made ? "new" : (open ?? "new")}
          template={template}
          uuid={open}
          onSaved={saved}
          onPublished={(version) => {
            notice.show(t("templates.published", { number: version.number ?? 0 }));
            void list.reload();
            reload();
          }}
          onDraft={(version) => {
            change({ version: version.uuid });
            void list.reload();
          }}
        />
      )}
      {rows.length > 0 && (
        <Versions
          list={list}
          state={state}
          open={open}
          onDeleted={(uuid) => {
            if (uuid !== open) return;
            setFirst(rows.find((row) => row.uuid !== uuid)?.uuid ?? null);
            setMade(null);
            change({ version: null }, true);
          }}
        />
      )}
      {template.version != null && <UsedBy uuid={template.uuid} />}
      {open && has("audit:read") && <ObjectHistory key={`${open} ${rows.length}`} id={open} />}
    </Stack>
  );
}

interface OpenProps {
  template: Template;
  /** null: the template has no version yet */
  uuid: string | null;
  onSaved: (version: VersionTextsFragment) => void;
  onPublished: (version: VersionTextsFragment) => void;
  onDraft: (version: VersionTextsFragment) => void;
}

function OpenVersion({ template, uuid, onSaved, onPublished, onDraft }: OpenProps) {
  const { t } = useTranslation();
  const may = useViewer().may("projects:write");
  // What a save has answered is newer than what was read before it.
  const [answer, setAnswer] = useState<VersionTextsFragment | null>(null);
  const { data, problem, loading, reload } = useLoaded(OneVersion, { id: uuid ?? "" }, uuid === null);
  const version = answer ?? (uuid === null ? null : data?.templateVersion) ?? null;
  if (uuid !== null && !version) {
    if (loading) return <Loader size="sm" aria-label={t("common.loading")} />;
    if (problem && problem.code !== "template_version_not_found" && problem.code !== "bad_id") {
      return <ProblemNotice problem={problem} onRetry={reload} />;
    }
    return <Alert color="orange">{t("templates.noVersion")}</Alert>;
  }
  if (version && (version.number != null || !may)) {
    return <Published template={template} version={version} onDraft={onDraft} />;
  }
  if (!may) return <Alert color="gray">{t("templates.nothingYet")}</Alert>;
  const take = (then: (version: VersionTextsFragment) => void) => (next: VersionTextsFragment) => {
    setAnswer(next);
    then(next);
  };
  return (
    <Editor template={template} version={version} onSaved={take(onSaved)} onPublished={take(onPublished)} />
  );
}

interface HeadProps {
  template: Template;
  reload: () => void;
  onNotice: (text: string) => void;
}

function Head({ template, reload, onNotice }: HeadProps) {
  const { t } = useTranslation();
  const client = useClient();
  const navigate = useNavigate();
  const may = useViewer().may("projects:write");
  const [asking, setAsking] = useState<"edit" | "archive" | "delete" | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const { uuid, name, key, category, archivedAt, version } = template;
  const close = () => setAsking(null);

  async function takeBack() {
    const { error } = await client.mutation(UnarchiveTemplate, { id: uuid }).toPromise();
    setProblem(error ? problemOf(error) : null);
    if (error) return;
    onNotice(t("templates.takenBack"));
    reload();
  }

  return (
    <>
      <PageHead
        title={name}
        note={
          <Badge variant="default" radius="sm" size="sm" tt="none" fw={500} ff="monospace">
            {key}
          </Badge>
        }
        about={t(`templates.abouts.${category}`)}
      >
        {may && (
          <>
            {version == null && (
              <Button
                variant="default"
                leftSection={<IconTrash size={14} />}
                onClick={() => setAsking("delete")}
              >
                {t("templates.delete")}
              </Button>
            )}
            {archivedAt ? (
              <Button
                variant="default"
                leftSection={<IconArchiveOff size={14} />}
                onClick={() => void takeBack()}
              >
                {t("templates.takeBack")}
              </Button>
            ) : (
              <Button
                variant="default"
                leftSection={<IconArchive size={14} />}
                onClick={() => setAsking("archive")}
              >
                {t("templates.archive")}
              </Button>
            )}
            <Button
              variant="default"
              leftSection={<IconPencil size={14} />}
              onClick={() => setAsking("edit")}
            >
              {t("templates.edit")}
            </Button>
          </>
        )}
      </PageHead>
      {problem && <ProblemNotice problem={problem} />}
      {asking === "edit" && (
        <TemplateDialog
          template={template}
          onClose={close}
          onSaved={() => {
            close();
            reload();
          }}
        />
      )}
      {asking === "archive" && (
        <Question
          title={t("templates.archiveTitle", { name })}
          question={t("templates.archiveText")}
          action={t("templates.archive")}
          mutation={ArchiveTemplate}
          variables={{ id: uuid }}
          onDone={() => {
            close();
            reload();
          }}
          onClose={close}
        />
      )}
      {asking === "delete" && (
        <Question
          title={t("templates.deleteTitle", { name })}
          question={t("templates.deleteText")}
          action={t("templates.delete")}
          mutation={DeleteTemplate}
          variables={{ id: uuid }}
          onDone={() => void navigate("/templates", { replace: true })}
          onClose={close}
        />
      )}
    </>
  );
}
