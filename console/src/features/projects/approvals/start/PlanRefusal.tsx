import { Stack, Text } from "@mantine/core";
import type { Problem } from "../../../../frame/api/errors";
import { useTranslation } from "../../../../frame/i18n";
import { ProblemNotice } from "../../../../frame/ui/page/ProblemNotice";
import { differencesOf } from "../plan";
import { Differences } from "../review/Differences";

/** A start that was refused. If a plan says something else, it shows what. */
export function PlanRefusal({ problem }: { problem: Problem }) {
  const { t } = useTranslation();
  const differences = differencesOf(problem.details);
  return (
    <Stack gap="xs">
      <ProblemNotice problem={problem} />
      {differences.length > 0 && (
        <>
          <Text size="sm" fw={500}>
            {t("approvals.differs")}
          </Text>
          <Differences differences={differences} currency={null} order={3} />
        </>
      )}
    </Stack>
  );
}
