import { Button, Group, Stack, Textarea } from "@mantine/core";
import { useState } from "react";
import { useClient } from "urql";
import { problemOf, type Problem } from "../../../../frame/api/errors";
import { kept } from "../../../../frame/memory";
import { useTranslation } from "../../../../frame/i18n";
import { SampleList } from "../../../../frame/sandbox/SampleRecipients";
import { ProblemNotice } from "../../../../frame/ui/page/ProblemNotice";
import { ImportText } from "../documents";
import type { Draft } from "../draft";
import { RegionSelect, useRegion } from "../../../../frame/lists/RegionSelect";

// What was pasted stays while somebody looks at another step, or reads the page again.
const pasted = kept<string>("pasted");
// The list that was read last, and its text.
const readList = kept<{ uuid: string; text: string }>("read-list");

/** Returns whether something was pasted and is not yet read. */
export function hasPasted(): boolean {
  return Boolean(pasted.get("text")?.trim());
}

/** Takes back the text of a list that was pasted here, to be read again. Returns false for any other list. */
export function takeBackPasted(list: string): boolean {
  const last = readList.get("last");
  if (last?.uuid !== list) return false;
  pasted.set("text", last.text);
  return true;
}

/** Forgets the text of a list that was added. */
export function forgetRead(list: string): void {
  if (readList.get("last")?.uuid === list) readList.delete("last");
}

interface Props {
  channel: Draft["channel"];
  onRead: (uuid: string) => void;
}

/** Takes numbers or addresses as text, one on a line. */
export function PasteList({ channel, onRead }: Props) {
  const { t } = useTranslation();
  const client = useClient();
  const [text, setText] = useState(() => pasted.get("text") ?? "");
  const [region, setRegion] = useRegion();
  const [problem, setProblem] = useState<Problem | null>(null);
  const [busy, setBusy] = useState(false);
  const lines = text.split("\n").filter((line) => line.trim()).length;

  function write(value: string) {
    setText(value);
    if (value) pasted.set("text", value);
    else pasted.delete("text");
  }

  async function read() {
    setBusy(true);
    setProblem(null);
    const result = await client.mutation(ImportText, { input: { text, region, channel } }).toPromise();
    setBusy(false);
    if (result.data?.importRecipientsFromText) {
      const { uuid } = result.data.importRecipientsFromText;
      readList.set("last", { uuid, text });
      pasted.delete("text"); // it is a list now
      onRead(uuid);
    } else if (result.error) setProblem(problemOf(result.error));
  }

  return (
    <Stack gap="sm">
      <Textarea
        label={t(`making.paste.${channel}`)}
        description={t("making.pasteHint")}
        placeholder={t(`making.example.${channel}`)}
        minRows={6}
        maxRows={16}
        autosize
        dir="auto"
        value={text}
        onChange={(event) => write(event.currentTarget.value)}
      />
      {!text.trim() && <SampleList channel={channel} onChoose={write} />}
      {channel !== "email" && channel !== "push" && <RegionSelect value={region} onChange={setRegion} />}
      {problem && <ProblemNotice problem={problem} />}
      <Group justify="flex-end">
        <Button
          onClick={read}
          loading={busy}
          disabled={lines === 0}
          title={lines === 0 ? t("common.fillForm") : undefined}
        >
          {t("making.readLines", { count: lines })}
        </Button>
      </Group>
    </Stack>
  );
}
