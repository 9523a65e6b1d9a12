import { Alert, Button, Code, Group, Text } from "@mantine/core";
import { useEffect, useState } from "react";
import { CONSOLE_HEADERS } from "../../frame/api/early";
import { useTranslation } from "../../frame/i18n";

interface Demo {
  email: string;
  adminEmail: string;
  password: string;
}

/** The logins of a demo installation, which the server tells a browser on the same machine alone. */
export function DemoLogin({ onChoose }: { onChoose: (email: string, password: string) => void }) {
  const { t } = useTranslation();
  const [demo, setDemo] = useState<Demo | null>(null);
  useEffect(() => {
    const leaving = new AbortController();
    fetch("/console/session/demo", { method: "POST", headers: CONSOLE_HEADERS, signal: leaving.signal })
      .then((answer) => (answer.status === 200 ? (answer.json() as Promise<Demo>) : null))
      .then(setDemo, () => undefined); // without it people log in with their own
    return () => leaving.abort();
  }, []);
  if (!demo) return null;
  const { email, adminEmail, password } = demo;
  return (
    <Alert color="blue" title={t("login.demo.title")}>
      <Text size="xs" mb={8}>
        {t("login.demo.text")} <Code>{email}</Code>, <Code>{adminEmail}</Code>; {t("login.demo.password")}{" "}
        <Code>{password}</Code>
      </Text>
      <Group gap={6}>
        <Button variant="light" onClick={() => onChoose(email, password)}>
          {t("login.demo.user")}
        </Button>
        <Button variant="light" onClick={() => onChoose(adminEmail, password)}>
          {t("login.demo.admin")}
        </Button>
      </Group>
    </Alert>
  );
}
