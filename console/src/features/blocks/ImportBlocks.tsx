import { Alert, Button, FileButton, Group, Modal, Progress, Stack, Text } from "@mantine/core";
import { IconFileUpload } from "@tabler/icons-react";
import { useState } from "react";
import { useClient } from "urql";
import type { Problem } from "../../frame/api/errors";
import { useTranslation } from "../../frame/i18n";
import { ProblemNotice } from "../../frame/ui/page/ProblemNotice";
import { useFormat } from "../../frame/values/format";
import type { BlockScope } from "../../gql/graphql";
import { blockFile, Refused, type Outcome, type Step } from "./blockFile";
import { ScopeChoice } from "./ScopeChoice";

const KINDS = ".csv,.tsv,.txt,.xlsx,.xls,.ods,.json,.ndjson,.jsonl";

/** Blocks the addresses of a file, such as a list from another program or one that was exported here. */
export function ImportBlocks({ onClose, onChanged }: { onClose: () => void; onChanged: () => void }) {
  const { t } = useTranslation();
  const client = useClient();
  const [scope, setScope] = useState<BlockScope>("all");
  const [step, setStep] = useState<Step | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const busy = step !== null;

  async function read(file: File | null) {
    if (!file) return;
    setProblem(null);
    setOutcome(null);
    setStep({ kind: "upload", share: 0 });
    try {
      setOutcome(await blockFile(client, file, scope, setStep));
    } catch (reason) {
      if (!(reason instanceof Refused)) throw reason;
      setProblem(reason.problem);
    } finally {
      setStep(null);
      onChanged();
    }
  }

  return (
    <Modal
      opened
      onClose={() => {
        if (!busy) onClose();
      }}
      title={t("blocks.importTitle")}
      closeButtonProps={{ "aria-label": t("common.close"), disabled: busy }}
    >
      <Stack gap="sm">
        <Text size="sm">{t("blocks.importText")}</Text>
        <ScopeChoice value={scope} onChange={setScope} disabled={busy} />
        {step && <StepBar step={step} />}
        {problem && <ProblemNotice problem={problem} />}
        {outcome && <OutcomeNotice outcome={outcome} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} disabled={busy}>
            {t(outcome ? "common.close" : "common.cancel")}
          </Button>
          <FileButton accept={KINDS} onChange={(file) => void read(file)}>
            {(props) => (
              <Button {...props} loading={busy} leftSection={<IconFileUpload size={14} />}>
                {t("blocks.chooseFile")}
              </Button>
            )}
          </FileButton>
        </Group>
      </Stack>
    </Modal>
  );
}

function StepBar({ step }: { step: Step }) {
  const { t } = useTranslation();
  const format = useFormat();
  const share =
    step.kind === "upload" ? step.share : step.kind === "block" ? step.done / Math.max(1, step.total) : 1;
  const text =
    step.kind === "upload"
      ? t("blocks.steps.upload", { share: format.percent(step.share) })
      : step.kind === "read"
        ? t("blocks.steps.read", { count: step.lines, number: format.number(step.lines) })
        : t("blocks.steps.block", { done: format.number(step.done), total: format.number(step.total) });
  return (
    <div>
      <Text size="xs" mb={4} role="status">
        {text}
      </Text>
      <Progress
        value={share * 100}
        animated={step.kind === "read"}
        size={6}
        aria-label={t("blocks.importTitle")}
      />
    </div>
  );
}

function OutcomeNotice({ outcome }: { outcome: Outcome }) {
  const { t } = useTranslation();
  const format = useFormat();
  const same = outcome.changed + outcome.unchanged;
  return (
    <Alert
      color="teal"
      role="status"
      title={t("blocks.imported", { count: outcome.added, number: format.number(outcome.added) })}
    >
      {same > 0 && (
        <Text size="sm">{t("blocks.alreadyBlocked", { count: same, number: format.number(same) })}</Text>
      )}
      {outcome.invalid > 0 && (
        <Text size="sm">
          {t("blocks.unreadable", { count: outcome.invalid, number: format.number(outcome.invalid) })}
        </Text>
      )}
      {outcome.samples.map(({ line, message }) => (
        <Text size="xs" key={line}>
          {t("blocks.line", { number: line })}: {message}
        </Text>
      ))}
    </Alert>
  );
}
