import { Alert, Button, Group, Loader, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { useClient } from "urql";
import { problemOf, type Problem } from "../../../../frame/api/errors";
import { useFormat } from "../../../../frame/values/format";
import { useTranslation } from "../../../../frame/i18n";
import { typedDrawer } from "../../../../frame/memory";
import { withMarks } from "../../../../frame/values/marks";
import { ProblemNotice } from "../../../../frame/ui/page/ProblemNotice";
import type { AddListMutation } from "../../../../gql/graphql";
import { BadRowList } from "../../../../frame/lists/BadRowList";
import { ListFigures, useListRead } from "../../../../frame/lists/ReadList";
import { AddList } from "../documents";
import type { DraftState } from "../useDraft";
import { forgetRead } from "./PasteList";

interface Props {
  uuid: string;
  state: DraftState;
  onAdded: () => void;
  /** back to the columns */
  onAgain: () => void;
  onOther: () => void;
}

const addedLists = typedDrawer<true>();

/** Returns whether this list was added to the project here. It may still be shown, with what was left out. */
export function wasAdded(list: string): boolean {
  return addedLists.has(list);
}

/** What was read from a list: how many rows are good, which ones are not, and the button that adds them. */
export function ImportResult({ uuid, state, onAdded, onAgain, onOther }: Props) {
  const { t } = useTranslation();
  const format = useFormat();
  const client = useClient();
  const { list, reading, problem, loading } = useListRead(uuid);
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<Problem | null>(null);
  const [added, setAdded] = useState<NonNullable<AddListMutation["addRecipients"]> | null>(null);

  async function add() {
    setBusy(true);
    setRefusal(null);
    const project = await state.save();
    if (project) {
      const result = await client.mutation(AddList, { project, list: uuid }).toPromise();
      if (result.data?.addRecipients) {
        const answer = result.data.addRecipients;
        addedLists.set(uuid, true);
        forgetRead(uuid);
        state.reload();
        // Shows what was left out before the list is put away.
        if (answer.duplicates > 0 || answer.invalidCount > 0) setAdded(answer);
        else onAdded();
      } else if (result.error) {
        setRefusal(problemOf(result.error));
      }
    }
    setBusy(false);
  }

  if (!list) {
    return problem && !loading ? (
      <ProblemNotice problem={problem} onRetry={onOther} />
    ) : (
      <Loader size="sm" aria-label={t("common.loading")} />
    );
  }
  if (list.status === "failed") {
    return (
      <Stack gap="sm">
        <Alert color="red" title={t("lists.listFailed")}>
          {list.statusReason && withMarks(list.statusReason)}
        </Alert>
        <Group>
          {list.fileName && (
            <Button variant="default" onClick={onAgain}>
              {t("lists.changeColumns")}
            </Button>
          )}
          <Button variant="default" onClick={onOther}>
            {t("lists.otherList")}
          </Button>
        </Group>
      </Stack>
    );
  }
  if (added) {
    return (
      <Stack gap="sm">
        <Alert
          color="teal"
          role="status"
          title={t("making.added", { count: added.added, number: format.number(added.added) })}
        >
          {added.duplicates > 0 && (
            <Text size="sm">
              {t("making.alreadyThere", { count: added.duplicates, number: format.number(added.duplicates) })}
            </Text>
          )}
          {added.invalid.slice(0, 10).map((row) => (
            <Text size="sm" key={row.place}>
              {t("lists.line", { number: row.place })}: {withMarks(row.message)}
            </Text>
          ))}
        </Alert>
        <Group justify="flex-end">
          <Button variant="default" onClick={onAdded}>
            {t("making.addAnother")}
          </Button>
        </Group>
      </Stack>
    );
  }
  const left = list.invalid + list.duplicates;
  return (
    <Stack gap="sm">
      <ListFigures list={list} name={t("making.pastedList")} />
      {list.duplicates > 0 && (
        <Text size="xs" c="dimmed">
          {t("making.duplicatesHint")}
        </Text>
      )}
      {left > 0 && !reading && <BadRowList uuid={uuid} count={left} fileName={list.fileName ?? null} />}
      {list.valid === 0 && left > 0 && !reading && (state.project?.recipients?.totalCount ?? 0) === 0 && (
        <Text size="sm">{t("fitting.noneFits", { channel: t(`channels.${state.draft.channel}`) })}</Text>
      )}
      {refusal && <ProblemNotice problem={refusal} />}
      <Group justify="space-between">
        <Group gap={6}>
          {list.fileName && (
            <Button variant="default" onClick={onAgain}>
              {t("lists.changeColumns")}
            </Button>
          )}
          <Button variant="default" onClick={onOther}>
            {t("lists.otherList")}
          </Button>
        </Group>
        <Button onClick={add} loading={busy} disabled={reading || list.valid === 0}>
          {t("making.add", { count: list.valid, number: format.number(list.valid) })}
        </Button>
      </Group>
    </Stack>
  );
}
