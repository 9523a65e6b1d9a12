import "../styles";
import { Anchor, Breadcrumbs, Loader, Paper, Stack, Text, Textarea, TextInput } from "@mantine/core";
import { useState } from "react";
import { Link, useNavigate, useParams } from "react-router";
import { useClient } from "urql";
import { problemOf, type Problem } from "../../../frame/api/errors";
import { useLoaded } from "../../../frame/api/useLoaded";
import { useTranslation } from "../../../frame/i18n";
import { FromField } from "../../../frame/sender/FromField";
import { SenderField } from "../../../frame/sender/SenderField";
import { NotFound } from "../../../frame/ui/page/NotFound";
import { ProblemNotice } from "../../../frame/ui/page/ProblemNotice";
import { usePageTitle } from "../../../frame/ui/page/usePageTitle";
import { PageHead } from "../../../frame/ui/page/PageHead";
import { Narrow } from "../../../frame/ui/page/Narrow";
import type { ProjectTemplateInput, RepeatableToEditQuery } from "../../../gql/graphql";
import { SpeedFields } from "../new/schedule/SpeedFields";
import { letterOf } from "../new/text/variants";
import { WindowEditor } from "../new/schedule/WindowEditor";
import { RepeatableToEdit, UpdateRepeatable } from "./documents";
import { planOfSchedule, scheduleOf } from "./schedule";
import { ScheduleForm } from "./ScheduleForm";

type Repeatable = NonNullable<RepeatableToEditQuery["repeatableSendingProject"]>;

/** Changes the text, the hours and the schedule of a repeatable project; runs that have begun stay as they are. */
export default function EditRepeatablePage() {
  const { uuid = "" } = useParams();
  return <EditOne key={uuid} uuid={uuid} />;
}

function EditOne({ uuid }: { uuid: string }) {
  const { t } = useTranslation();
  const { data, problem, loading, reload } = useLoaded(RepeatableToEdit, { id: uuid });
  // The form saves everything, so it begins with what the server has now and not with what was read earlier.
  const [project, setProject] = useState<Repeatable | null>(null);
  const fresh = loading || problem ? null : data?.repeatableSendingProject;
  if (!project && fresh) setProject(fresh);
  usePageTitle(project?.name ?? t("repeatable.editTitle"));
  if (!project) {
    if (loading) return <Loader size="sm" aria-label={t("common.loading")} />;
    if (!problem || problem.code === "repeatable_project_not_found" || problem.code === "bad_id") {
      return <NotFound text={t("repeatable.notFound")} />;
    }
    return <ProblemNotice problem={problem} onRetry={reload} />;
  }
  return (
    <Stack gap="sm">
      <Breadcrumbs>
        <Anchor component={Link} to="/repeatable" size="sm">
          {t("repeatable.title")}
        </Anchor>
        <Anchor component={Link} to={`/repeatable/${uuid}`} size="sm">
          {project.name}
        </Anchor>
      </Breadcrumbs>
      <PageHead title={t("repeatable.editTitle")} />
      <Narrow>
        <Form project={project} />
      </Narrow>
    </Stack>
  );
}

function Form({ project }: { project: Repeatable }) {
  const { t } = useTranslation();
  const client = useClient();
  const navigate = useNavigate();
  const [name, setName] = useState(project.name);
  const [plan, setPlan] = useState(() => planOfSchedule(project.schedule));
  const [template, setTemplate] = useState<ProjectTemplateInput>(project.template);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const change = (part: Partial<ProjectTemplateInput>) => setTemplate({ ...template, ...part });
  const { channel, variants = [] } = template;

  async function save() {
    setBusy(true);
    setProblem(null);
    const input = { name: name.trim(), template, schedule: scheduleOf(plan) };
    const { error } = await client.mutation(UpdateRepeatable, { id: project.uuid, input }).toPromise();
    setBusy(false);
    if (error) setProblem(problemOf(error));
    else await navigate(`/repeatable/${project.uuid}`);
  }

  return (
    <Paper p="sm">
      <ScheduleForm
        name={name}
        plan={plan}
        busy={busy}
        problem={problem}
        action={t("repeatable.save")}
        hint={t("repeatable.editText")}
        onName={setName}
        onPlan={setPlan}
        onSubmit={save}
      >
        {channel === "email" && (
          <FromField value={template.from ?? ""} onChange={(from) => change({ from: from || null })} />
        )}
        {channel === "sms" && (
          <SenderField
            value={template.sender ?? ""}
            onChange={(sender) => change({ sender: sender || null })}
          />
        )}
        {(channel === "email" || channel === "push") && (
          <TextInput
            label={t(channel === "email" ? "send.subject" : "send.pushTitle")}
            value={template.subject ?? ""}
            onChange={(event) => change({ subject: event.currentTarget.value || null })}
          />
        )}
        {variants && variants.length > 0 ? (
          variants.map((variant, index) => (
            <Textarea
              key={index}
              autosize
              minRows={3}
              maxRows={16}
              label={`${t("send.text")} ${letterOf(index)}`}
              value={variant.text}
              onChange={(event) => {
                const text = event.currentTarget.value;
                change({
                  variants: variants.map((item, position) => (position === index ? { ...item, text } : item)),
                });
              }}
            />
          ))
        ) : (
          <Textarea
            autosize
            minRows={3}
            maxRows={16}
            label={t(channel === "email" ? "making.plainText" : "send.text")}
            value={template.text ?? ""}
            onChange={(event) => change({ text: event.currentTarget.value || null })}
          />
        )}
        {channel === "email" && (
          <Textarea
            autosize
            minRows={3}
            maxRows={16}
            label="HTML"
            value={template.html ?? ""}
            onChange={(event) => change({ html: event.currentTarget.value || null })}
          />
        )}
        <Text size="xs" c="dimmed">
          {t("making.liquidHint", { example: '{{ name | default: "…" }}' })}
        </Text>
        <SpeedFields speed={template.speed ?? {}} channel={channel} onChange={(speed) => change({ speed })} />
        <WindowEditor window={template.window ?? null} onChange={(window) => change({ window })} />
      </ScheduleForm>
    </Paper>
  );
}
