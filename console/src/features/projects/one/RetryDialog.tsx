import { Checkbox, Stack, Text } from "@mantine/core";
import { useClient } from "urql";
import { useRequestForm } from "../../../frame/form/useRequestForm";
import { useBilling } from "../../../frame/billing";
import { useFormat } from "../../../frame/values/format";
import { useTranslation } from "../../../frame/i18n";
import { FormDialog } from "../../../frame/ui/dialogs/FormDialog";
import { useContentKey } from "../../../frame/api/ContentKey";
import { RetryProject } from "../documents";
import type { Cause } from "../states";
import { useCause } from "./Causes";
import type { Project } from "./model";
import { retryInput } from "./retry";

interface Props {
  project: Project;
  causes: Cause[];
  onClose: () => void;
  onDone: () => void;
}

/** Asks which messages are sent again: those that failed with chosen causes, skipped ones, and unknown ones. */
export function RetryDialog({ project, causes, onClose, onDone }: Props) {
  const { t } = useTranslation();
  const isFree = useBilling() === "off";
  const format = useFormat();
  const client = useClient();
  const keys = useContentKey();
  const fails = causes.filter(({ failed }) => failed > 0);
  // Addresses that the channel can't reach stay so: the server does not take this code.
  const skips = causes.filter(({ skipped, code }) => skipped > 0 && code !== "invalid_recipient");
  const form = useRequestForm({
    initialValues: { failed: fails.map(({ code }) => code), skipped: [] as string[], unknown: false },
  });
  const { input, count } = retryInput(causes, form.getValues(), project.counts);

  const retry = form.sends(async () => {
    const variables = { id: project.uuid, input };
    const { error } = await client.mutation(RetryProject, variables, keys.of(variables)).toPromise();
    if (error) return error;
    keys.renew();
    onDone();
  });

  return (
    <FormDialog
      title={t("project.retryTitle")}
      form={form}
      onSubmit={retry}
      action={t("project.retryCount", { count, number: format.number(count) })}
      disabled={count === 0 && t("project.retryNone")}
      onClose={onClose}
    >
      <Text size="sm">{t("project.retryText")}</Text>
      {fails.length > 0 && (
        <Checkbox.Group
          label={t("project.retryFailed")}
          description={t(isFree ? "project.retryFailedHintFree" : "project.retryFailedHint")}
          {...form.getInputProps("failed")}
        >
          <Choices kind="failed" causes={fails} />
        </Checkbox.Group>
      )}
      {skips.length > 0 && (
        <Checkbox.Group
          label={t("project.retrySkipped")}
          description={t("project.retrySkippedHint")}
          {...form.getInputProps("skipped")}
        >
          <Choices kind="skipped" causes={skips} />
        </Checkbox.Group>
      )}
      {project.counts.unknown > 0 && (
        <Checkbox
          {...form.getInputProps("unknown", { type: "checkbox" })}
          label={t("project.retryUnknown", {
            count: project.counts.unknown,
            number: format.number(project.counts.unknown),
          })}
          description={t("project.retryUnknownHint")}
        />
      )}
    </FormDialog>
  );
}

function Choices({ kind, causes }: { kind: "failed" | "skipped"; causes: Cause[] }) {
  return (
    <Stack gap={8} mt={8}>
      {causes.map((cause) => (
        <Choice key={cause.code} kind={kind} cause={cause} />
      ))}
    </Stack>
  );
}

function Choice({ kind, cause }: { kind: "failed" | "skipped"; cause: Cause }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { what } = useCause(cause.code, kind);
  return (
    <Checkbox
      value={cause.code}
      label={t("project.retryCause", { what, number: format.number(cause[kind]) })}
      description={cause.code}
    />
  );
}
