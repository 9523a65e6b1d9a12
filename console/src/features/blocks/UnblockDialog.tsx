import { useState } from "react";
import { useClient } from "urql";
import { problemOf, type Problem } from "../../frame/api/errors";
import { useTranslation } from "../../frame/i18n";
import { Confirm } from "../../frame/ui/dialogs/Confirm";
import { useFormat } from "../../frame/values/format";
import { UnblockPhones } from "./documents";
import type { BlockRow } from "./useBlocks";

const AT_ONCE = 1000;

interface Props {
  rows: readonly BlockRow[];
  onClose: () => void;
  onRemoved: (count: number) => void;
}

/** Asks before one or many blocks are removed. */
export function UnblockDialog({ rows, onClose, onRemoved }: Props) {
  const { t } = useTranslation();
  const format = useFormat();
  const client = useClient();
  const [problem, setProblem] = useState<Problem | null>(null);
  const phones = rows.map(({ phone }) => phone);
  const count = phones.length;

  async function remove() {
    let removed = 0;
    for (let start = 0; start < count; start += AT_ONCE) {
      const input = { phones: phones.slice(start, start + AT_ONCE) };
      const { data, error } = await client.mutation(UnblockPhones, { input }).toPromise();
      if (error) {
        setProblem(problemOf(error));
        return;
      }
      removed += data?.unblockPhones?.removed ?? 0;
    }
    onRemoved(removed);
  }

  return (
    <Confirm
      opened
      title={
        count === 1
          ? t("blocks.removeTitle", { address: phones[0] ?? "" })
          : t("blocks.removeMany", { count, number: format.number(count) })
      }
      question={t(
        rows.every(({ reason }) => reason === "manual") ? "blocks.removeText" : "blocks.removeUnsubscribed",
      )}
      action={t("blocks.remove")}
      problem={problem}
      onConfirm={remove}
      onClose={onClose}
    />
  );
}
