import { Button, Loader, Stack, Text } from "@mantine/core";
import { useLoaded } from "../../../../frame/api/useLoaded";
import { useFormat } from "../../../../frame/values/format";
import { useTranslation } from "../../../../frame/i18n";
import { ProblemNotice } from "../../../../frame/ui/page/ProblemNotice";
import { Empty } from "../../../../frame/ui/page/Empty";
import { EarlierImports } from "../documents";
import { withMarks } from "../../../../frame/values/marks";
import classes from "../new.module.css";

/** Lists that were read before; a list can be used for any number of projects. */
export function EarlierLists({ onChoose }: { onChoose: (uuid: string) => void }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { data, problem, loading, reload } = useLoaded(EarlierImports, {});
  const lists = data?.recipientImports?.nodes ?? [];
  if (problem) return <ProblemNotice problem={problem} onRetry={reload} />;
  if (!data && loading) return <Loader size="sm" aria-label={t("common.loading")} />;
  if (lists.length === 0) return <Empty text={t("making.noLists")} />;
  return (
    <Stack component="ul" gap={4} className={classes.lists}>
      {lists.map(({ uuid, fileName, valid, createdAt }) => (
        <li key={uuid}>
          <div>
            <Text size="sm" fw={500}>
              {fileName ? withMarks(fileName) : t("making.pastedList")}
            </Text>
            <Text size="xs" c="dimmed">
              {t("making.recipients", { count: valid, number: format.number(valid) })} ·{" "}
              {format.time(createdAt)}
            </Text>
          </div>
          <Button variant="default" onClick={() => onChoose(uuid)}>
            {t("making.choose")}
          </Button>
        </li>
      ))}
    </Stack>
  );
}
