import { Button, Checkbox, Group, Modal, Stack, Text } from "@mantine/core";
import { useClient } from "urql";
import { useRequestForm } from "../../../frame/form/useRequestForm";
import { useFormat } from "../../../frame/values/format";
import { useTranslation } from "../../../frame/i18n";
import { ProblemNotice } from "../../../frame/ui/page/ProblemNotice";
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
    <Modal
      opened
      onClose={onClose}
      title={t("project.retryTitle")}
      closeButtonProps={{ "aria-label": t("common.close") }}
    >
      <form onSubmit={retry} noValidate>
        <Stack gap="sm">
          <Text size="sm">{t("project.retryText")}</Text>
          {fails.length > 0 && (
            <Checkbox.Group
              label={t("project.retryFailed")}
              description={t("project.retryFailedHint")}
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
          {form.problem && <ProblemNotice problem={form.problem} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t("common.cancel")}
            </Button>
            <Button type="submit" loading={form.busy} disabled={count === 0}>
              {t("project.retryCount", { count, number: format.number(count) })}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
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
