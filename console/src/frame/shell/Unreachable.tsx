import { Button, Center, Stack, Title } from "@mantine/core";
import { useTranslation } from "../i18n";
import type { Problem } from "../api/errors";
import { useSession } from "../session";
import { ProblemNotice } from "../ui/page/ProblemNotice";

/** In place of the console, while nobody knows who is logged in because the server does not answer. */
export function Unreachable({ problem }: { problem: Problem }) {
  const { t } = useTranslation();
  const { check } = useSession();
  return (
    <Center component="main" mih="80dvh" p="md">
      <Stack maw={480}>
        <Title order={1}>{t("connection.noServer")}</Title>
        <ProblemNotice problem={problem} />
        <Button onClick={check} w="fit-content">
          {t("common.tryAgain")}
        </Button>
      </Stack>
    </Center>
  );
}
