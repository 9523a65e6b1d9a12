import { useState } from "react";
import { useClient } from "urql";
import { problemOf, type Problem } from "../../frame/api/errors";
import { useTranslation } from "../../frame/i18n";
import { Confirm } from "../../frame/ui/dialogs/Confirm";
import { useFormat } from "../../frame/values/format";
import { withMarks } from "../../frame/values/marks";
import { DeleteFile } from "./documents";
import type { FileRow } from "./useFiles";

interface Props {
  rows: readonly FileRow[];
  onClose: () => void;
  /** is told the number of files that are gone; also if another one was refused, when the dialog stays */
  onDeleted: (count: number, isAll: boolean) => void;
}

/** Asks before files are deleted, and deletes them one by one: the server refuses those that are in use. */
export function DeleteFiles({ rows, onClose, onDeleted }: Props) {
  const { t } = useTranslation();
  const format = useFormat();
  const client = useClient();
  const [left, setLeft] = useState(rows);
  const [problem, setProblem] = useState<Problem | null>(null);
  const count = left.length;
  const first = left[0];

  async function run() {
    setProblem(null);
    for (const [index, { uuid, name }] of left.entries()) {
      const { error } = await client.mutation(DeleteFile, { id: uuid }).toPromise();
      if (!error) continue;
      const refused = problemOf(error);
      setProblem({ ...refused, message: `${withMarks(name)}: ${refused.message}` });
      setLeft(left.slice(index));
      if (index > 0) onDeleted(index, false);
      return;
    }
    onDeleted(count, true);
  }

  return (
    <Confirm
      opened
      title={
        count === 1
          ? t("files.removeTitle", { name: withMarks(first?.name ?? "") })
          : t("files.removeMany", { count, number: format.number(count) })
      }
      question={t("files.removeText")}
      action={t("files.remove")}
      problem={problem}
      onConfirm={run}
      onClose={onClose}
    />
  );
}
