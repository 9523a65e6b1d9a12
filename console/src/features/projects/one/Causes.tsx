import { Anchor, Table, Text } from "@mantine/core";
import { Link } from "react-router";
import { useFormat } from "../../../frame/values/format";
import { useTranslation } from "../../../frame/i18n";
import { useFailure } from "../../../frame/failure/failure";
import { useViewer } from "../../../frame/session";
import type { Cause } from "../states";

type Kind = "failed" | "skipped";

/** The rows of one cause: one for the messages that failed, one for those that were skipped. */
export function CauseRows({ cause, uuid }: { cause: Cause; uuid: string }) {
  return (
    <>
      {(["failed", "skipped"] as const).map(
        (kind) => cause[kind] > 0 && <CauseRow key={kind} cause={cause} kind={kind} uuid={uuid} />,
      )}
    </>
  );
}

function CauseRow({ cause, kind, uuid }: { cause: Cause; kind: Kind; uuid: string }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { may } = useViewer();
  const text = useCause(cause.code, kind);
  const number = format.number(cause[kind]);
  return (
    <Table.Tr>
      <Table.Td>
        <Text size="sm">{text.what}</Text>
        <Text size="xs" c="dimmed">
          {t(`states.${kind}`)} · {cause.code} · {text.next}
        </Text>
      </Table.Td>
      <Table.Td ta="right" fw={600}>
        {may("recipients:read") ? (
          <Anchor
            component={Link}
            to={`/messages?kind=project&project=${uuid}&status=${kind}&cause=${cause.code}`}
            size="sm"
            fw={600}
            aria-label={t("project.showCause", { number, what: text.what })}
          >
            {number}
          </Anchor>
        ) : (
          number
        )}
      </Table.Td>
    </Table.Tr>
  );
}

/** Explains a code of failing or skipping in plain words. */
export function useCause(code: string, kind: Kind): { what: string; next: string } {
  const { textOr } = useTranslation();
  const failure = useFailure(code);
  const what = failure?.what ?? code;
  const next = failure?.next ?? "";
  // A provider may refuse with a code of ours, and then its reason is another one.
  if (kind === "failed") return { what, next };
  return {
    what: textOr(`project.causes.${code}.what`, what),
    next: textOr(`project.causes.${code}.next`, next),
  };
}
