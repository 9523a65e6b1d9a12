import {
  Alert,
  Button,
  Code,
  Group,
  Modal,
  SegmentedControl,
  Stack,
  Text,
  Textarea,
  TextInput,
} from "@mantine/core";
import { useState, type SubmitEvent } from "react";
import type { Problem } from "../../frame/api/errors";
import { useTranslation } from "../../frame/i18n";
import { ProblemNotice } from "../../frame/ui/page/ProblemNotice";
import { useFocusBack } from "../../frame/ui/dialogs/useFocusBack";
import { draftOf, KINDS, kindOf, parse, previewOf, same, type Entry, type Kind } from "./values";

/** What is stored under a key now; undefined if nothing is. */
export type Read = { ok: true; now: Entry | undefined } | { ok: false; problem: Problem };

interface Props {
  /** the entry that is changed; null for a new one */
  entry: Entry | null;
  title: string;
  /** the most bytes of a value, as JSON */
  maxBytes: number;
  keyProblem: (key: string) => string | null;
  read: (key: string) => Promise<Read>;
  /** `before` is what the new value replaces */
  write: (key: string, value: unknown, before: Entry | undefined) => Promise<Problem | null>;
  onClose: () => void;
  onSaved: (key: string) => void;
}

/** Changes one value. If somebody has changed it since the dialog was opened, it asks before it replaces that. */
export function EntryDialog({ entry, title, maxBytes, keyProblem, read, write, onClose, onSaved }: Props) {
  const { t } = useTranslation();
  useFocusBack();
  const [key, setKey] = useState(entry?.key ?? "");
  const [kind, setKind] = useState<Kind>(entry ? kindOf(entry.value) : "text");
  const [draft, setDraft] = useState(entry ? draftOf(entry.value) : "");
  const [expected, setExpected] = useState<Entry | undefined>(entry ?? undefined);
  const [changed, setChanged] = useState<Entry | null | undefined>(undefined);
  const [tried, setTried] = useState(false);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const parsed = parse(kind, draft, maxBytes);
  const wrongKey = entry ? null : keyProblem(key.trim());

  async function save(event: SubmitEvent) {
    event.preventDefault();
    setTried(true);
    if (wrongKey || !parsed.ok) return;
    setBusy(true);
    setProblem(null);
    const error = await replace(key.trim(), parsed.value);
    setBusy(false);
    setProblem(error);
  }

  async function replace(name: string, value: unknown): Promise<Problem | null> {
    const stored = await read(name);
    if (!stored.ok) return stored.problem;
    const unchanged =
      stored.now && expected ? same(stored.now.value, expected.value) : !stored.now && !expected;
    if (!unchanged) {
      setExpected(stored.now);
      setChanged(stored.now ?? null);
      return null;
    }
    const error = await write(name, value, stored.now);
    if (!error) onSaved(name);
    return error;
  }

  function choose(next: Kind) {
    setKind(next);
    if (next === "boolean") setDraft(draft === "true" ? "true" : "false");
  }

  return (
    <Modal
      opened
      onClose={onClose}
      title={title}
      size="lg"
      closeButtonProps={{ "aria-label": t("common.close") }}
    >
      <form onSubmit={save} noValidate>
        <Stack gap="sm">
          {entry ? (
            <Text size="sm">
              <Code>{entry.key}</Code>
            </Text>
          ) : (
            <TextInput
              data-autofocus
              label={t("settings.key")}
              value={key}
              error={tried ? wrongKey : null}
              onChange={(event) => {
                setKey(event.currentTarget.value);
                setExpected(undefined);
                setChanged(undefined);
              }}
            />
          )}
          <SegmentedControl
            size="xs"
            aria-label={t("settings.type")}
            value={kind}
            onChange={(value) => choose(KINDS.find((name) => name === value) ?? "json")}
            data={KINDS.map((value) => ({ value, label: t(`settings.kinds.${value}`) }))}
          />
          {kind === "boolean" ? (
            <SegmentedControl
              aria-label={t("settings.value")}
              value={draft === "true" ? "true" : "false"}
              onChange={setDraft}
              data={[
                { value: "true", label: t("settings.yes") },
                { value: "false", label: t("settings.no") },
              ]}
            />
          ) : (
            <Textarea
              data-autofocus={entry ? true : undefined}
              label={t("settings.value")}
              rows={kind === "number" ? 1 : 6}
              value={draft}
              error={
                (tried || (kind === "json" && draft)) && !parsed.ok
                  ? t(`settings.wrong.${parsed.problem}`)
                  : null
              }
              onChange={(event) => setDraft(event.currentTarget.value)}
            />
          )}
          {changed !== undefined && (
            <Alert color="yellow" role="alert">
              <Text size="sm" fw={600}>
                {t("settings.changed")}
              </Text>
              <Text size="sm">{changed ? t("settings.changedTo") : t("settings.changedGone")}</Text>
              {changed && (
                <Code block mt={4}>
                  {previewOf(changed.value)}
                </Code>
              )}
              <Group mt="xs">
                {changed && (
                  <Button
                    variant="default"
                    size="compact-xs"
                    onClick={() => {
                      setKind(kindOf(changed.value));
                      setDraft(draftOf(changed.value));
                      setChanged(undefined);
                    }}
                  >
                    {t("settings.takeNew")}
                  </Button>
                )}
              </Group>
            </Alert>
          )}
          {problem && <ProblemNotice problem={problem} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t("common.cancel")}
            </Button>
            <Button type="submit" loading={busy}>
              {changed === undefined ? t("common.save") : t("settings.replace")}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
