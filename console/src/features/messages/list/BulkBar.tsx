import { Box, Button } from "@mantine/core";
import { IconBan } from "@tabler/icons-react";
import { useState } from "react";
import { useClient } from "urql";
import { newIdempotencyKey, withIdempotencyKey } from "../../../frame/api/client";
import { problemOf, type Problem } from "../../../frame/api/errors";
import { useTranslation } from "../../../frame/i18n";
import { SelectionBar } from "../../../frame/list/SelectionBar";
import type { Selection } from "../../../frame/list/useSelection";
import { CopyButton } from "../../../frame/ui/CopyButton";
import { Confirm } from "../../../frame/ui/dialogs/Confirm";
import { Notice, useNotice } from "../../../frame/ui/page/Notice";
import { useFormat } from "../../../frame/values/format";
import { useViewer } from "../../../frame/session";
import { BlockRecipients } from "../documents";
import { addressesOf, blockableOf } from "./addresses";
import type { Row } from "./row";

/** One request takes so many addresses. */
const MOST = 1000;

/** What can be done with the chosen messages: their recipients are blocked, or copied. */
export function BulkBar({ selection }: { selection: Selection<Row> }) {
  const { t } = useTranslation();
  const format = useFormat();
  const client = useClient();
  const { may } = useViewer();
  const [asking, setAsking] = useState<readonly string[] | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const notice = useNotice();
  const addresses = addressesOf(selection.rows);
  const blockable = blockableOf(addresses);
  const counted = (count: number) => ({ count, number: format.number(count) });

  async function block(chosen: readonly string[]) {
    setProblem(null);
    let blocked = 0;
    let before = 0;
    for (let start = 0; start < chosen.length; start += MOST) {
      const input = { phones: chosen.slice(start, start + MOST), scope: "all" as const };
      const { data, error } = await client
        .mutation(BlockRecipients, { input }, withIdempotencyKey(newIdempotencyKey()))
        .toPromise();
      const part = data?.blockPhones;
      if (!part) {
        if (error) setProblem(problemOf(error));
        return;
      }
      blocked += part.added + part.changed;
      before += part.unchanged;
    }
    setAsking(null);
    selection.clear();
    notice.show(
      [t("messages.blocked", counted(blocked)), before > 0 && t("messages.blockedBefore", counted(before))]
        .filter(Boolean)
        .join(" "),
    );
  }

  return (
    <>
      <Box mt={selection.rows.length > 0 || notice.message ? 8 : 0}>
        <SelectionBar selection={selection}>
          {may("blocks:write") && (
            <Button
              variant="default"
              leftSection={<IconBan size={14} />}
              disabled={blockable.length === 0}
              title={blockable.length === 0 ? t("messages.noneToBlock") : undefined}
              onClick={() => {
                setProblem(null);
                setAsking(blockable);
              }}
            >
              {t("messages.block")}
            </Button>
          )}
          <CopyButton named text={addresses.join("\n")} label={t("messages.copyAddresses")} />
        </SelectionBar>
        <Notice message={notice.message} onDismiss={notice.dismiss} />
      </Box>
      {asking && (
        <Confirm
          opened
          title={t("messages.blockTitle", counted(asking.length))}
          question={t("messages.blockText")}
          action={t("messages.block")}
          problem={problem}
          onConfirm={() => block(asking)}
          onClose={() => setAsking(null)}
        />
      )}
    </>
  );
}
