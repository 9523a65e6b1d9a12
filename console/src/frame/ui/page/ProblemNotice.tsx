import { Alert, Button, Code, Group, Text } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { Link } from "react-router";
import { useTranslation } from "../../i18n";
import type { Problem } from "../../api/errors";
import { useNextStep } from "./nextStep";

/** Shows an error: what the server says, what to do next, and what the operator needs to know. */
export function ProblemNotice({ problem, onRetry }: { problem: Problem; onRetry?: () => void }) {
  const { t } = useTranslation();
  const next = useNextStep(problem);
  return (
    <Alert role="alert" color="red" icon={<IconAlertTriangle size={18} />}>
      <Text size="sm">{problem.message || t("errors.noAnswer")}</Text>
      {next && <Text size="sm">{next}</Text>}
      {problem.requestId && (
        <Text size="xs" c="dimmed" mt={4}>
          {t("errors.requestId")} <Code>{problem.requestId}</Code>
        </Text>
      )}
      {problem.code === "second_factor_setup" && (
        <Group mt="xs">
          <Button component={Link} to="/profile" size="compact-xs">
            {t("errors.addFactor")}
          </Button>
        </Group>
      )}
      {onRetry && (
        <Group mt="xs">
          <Button variant="default" size="compact-xs" onClick={onRetry}>
            {t("common.tryAgain")}
          </Button>
        </Group>
      )}
    </Alert>
  );
}
