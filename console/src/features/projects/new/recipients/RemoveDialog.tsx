import { Button, Group, List, Modal, Stack, Text, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useState } from "react";
import { useClient } from "urql";
import { problemOf, type Problem } from "../../../../frame/api/errors";
import { useLoaded } from "../../../../frame/api/useLoaded";
import { useFormat } from "../../../../frame/values/format";
import { useTranslation } from "../../../../frame/i18n";
import { ProblemNotice } from "../../../../frame/ui/page/ProblemNotice";
import { useContentKey } from "../../../../frame/api/ContentKey";
import { FindRecipients, RemoveRecipients } from "../documents";

const TYPING_MS = 400;

interface Props {
  project: string;
  onClose: () => void;
  onRemoved: () => void;
}

/** Finds recipients by a part of the address or the name, and removes all that are found. */
export function RemoveDialog({ project, onClose, onRemoved }: Props) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState("");
  const [text] = useDebouncedValue(typed.trim(), TYPING_MS);
  const [busy, setBusy] = useState(false);
  return (
    <Modal
      opened
      onClose={() => {
        if (!busy) onClose();
      }}
      title={t("making.remove")}
      closeButtonProps={{ "aria-label": t("common.close"), disabled: busy }}
    >
      <Stack gap="sm">
        <TextInput
          data-autofocus
          label={t("making.removeFind")}
          description={t("making.removeHint")}
          maxLength={100}
          readOnly={busy}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        {/* Each text has a component of its own, so that the results of an earlier text are never shown for it. */}
        <Found
          key={text}
          project={project}
          text={text}
          typing={typed.trim() !== text}
          busy={busy}
          onBusy={setBusy}
          onClose={onClose}
          onRemoved={onRemoved}
        />
      </Stack>
    </Modal>
  );
}

interface FoundProps extends Props {
  text: string;
  /** whether another text is being typed */
  typing: boolean;
  busy: boolean;
  onBusy: (busy: boolean) => void;
}

/** The recipients that have this text, and the button that removes them. */
function Found({ project, text, typing, busy, onBusy, onClose, onRemoved }: FoundProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const client = useClient();
  const keys = useContentKey();
  const [problem, setProblem] = useState<Problem | null>(null);
  const result = useLoaded(FindRecipients, { id: project, text }, !text);
  const known = text !== "" && !typing && !result.loading && !result.problem;
  const found = known ? result.data?.recipients : undefined;
  const count = found?.totalCount ?? 0;

  async function remove() {
    onBusy(true);
    setProblem(null);
    const variables = { id: project, input: { text } };
    let more = true;
    while (more) {
      const { data, error } = await client
        .mutation(RemoveRecipients, variables, keys.of(variables))
        .toPromise();
      if (error) {
        setProblem(problemOf(error));
        onBusy(false);
        // Some may have been removed before the error, and the answer of the last request may be lost.
        result.reload();
        onRemoved();
        return;
      }
      keys.renew();
      more = data?.removeRecipients?.more ?? false;
    }
    onBusy(false);
    onRemoved();
    onClose();
  }

  return (
    <>
      {found && (
        <div role="status">
          <Text size="sm">{t("making.recipients", { count, number: format.number(count) })}</Text>
          <List size="sm">
            {found.nodes.map(({ uuid, address, name }) => (
              <List.Item key={uuid}>{[address, name].filter(Boolean).join(" · ")}</List.Item>
            ))}
          </List>
        </div>
      )}
      {problem && <ProblemNotice problem={problem} />}
      {result.problem && text !== "" && !problem && (
        <ProblemNotice problem={result.problem} onRetry={result.reload} />
      )}
      <Group justify="flex-end">
        <Button variant="default" disabled={busy} onClick={onClose}>
          {t("common.cancel")}
        </Button>
        <Button color="red" loading={busy} disabled={count === 0} onClick={remove}>
          {t("making.removeCount", { count, number: format.number(count) })}
        </Button>
      </Group>
    </>
  );
}
