import { Alert, Group, Loader, Text } from "@mantine/core";
import { useEffect, useRef } from "react";
import { useTranslation } from "../../../frame/i18n";
import { useListRead } from "../../../frame/lists/ReadList";
import { ProblemNotice } from "../../../frame/ui/page/ProblemNotice";
import { useFormat } from "../../../frame/values/format";
import { withMarks } from "../../../frame/values/marks";

const FIGURES = ["subscribed", "subscribedBefore", "withdrawnBefore", "withoutAddress"] as const;

interface Props {
  /** uuid of the import that subscribes the contacts of a segment */
  uuid: string;
  onReady: () => void;
  onDismiss: () => void;
}

/** How many contacts of a segment have been subscribed so far, and how many were left out. */
export function AddedContacts({ uuid, onReady, onDismiss }: Props) {
  const { t } = useTranslation();
  const format = useFormat();
  const { list, reading, problem } = useListRead(uuid);
  const ready = list !== undefined && list !== null && !reading;
  const said = useRef(false);
  useEffect(() => {
    if (!ready || said.current) return;
    said.current = true;
    onReady();
  }, [ready, onReady]);
  if (problem && !list) return <ProblemNotice problem={problem} onRetry={onDismiss} />;
  if (!list?.contacts) return <Loader size="sm" aria-label={t("common.loading")} />;
  const { contacts } = list;
  return (
    <Alert
      color={list.status === "failed" ? "red" : "blue"}
      role="status"
      withCloseButton={!reading}
      closeButtonLabel={t("common.close")}
      onClose={onDismiss}
    >
      <Group gap={8}>
        {reading && <Loader size="xs" aria-label={t("subscriptions.adding")} />}
        <Text size="sm">
          {FIGURES.filter((name) => name === "subscribed" || contacts[name] > 0)
            .map((name) => t(`contactLists.${name}`, { number: format.number(contacts[name]) }))
            .join(" · ")}
        </Text>
      </Group>
      {list.statusReason && <Text size="sm">{withMarks(list.statusReason)}</Text>}
    </Alert>
  );
}
