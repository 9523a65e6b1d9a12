import "../styles";
import { Anchor, Button, Group, Paper, Stack, Text, Title } from "@mantine/core";
import { IconBook, IconCode } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { Link } from "react-router";
import { useTranslation } from "../../../frame/i18n";
import { useViewer } from "../../../frame/session";
import { usePageTitle } from "../../../frame/ui/page/usePageTitle";
import { PageHead } from "../../../frame/ui/page/PageHead";
import { CopyButton } from "../../../frame/ui/CopyButton";
import classes from "../developer.module.css";
import { curlGraphql, curlMe, curlSend } from "../snippets";
import { CodeBlock } from "../ui/CodeBlock";
import { SandboxRecipients } from "./SandboxRecipients";

/** Where a developer begins: the address, the two explorers, first requests, and recipients to try. */
export default function DeveloperPage() {
  const { t } = useTranslation();
  const viewer = useViewer();
  usePageTitle(t("developer.title"));
  return (
    <Stack gap="sm">
      <PageHead title={t("developer.title")} />
      <Paper p="sm">
        <Group justify="space-between" align="flex-start">
          <dl className={classes.facts}>
            <Fact name={t("developer.baseUrl")} value={location.origin} />
            <Fact name="GraphQL" value={`${location.origin}/graphql`} />
            <Fact name={t("developer.userId")} value={viewer.ownerUuid} />
          </dl>
          <Stack gap={6}>
            <Explorer href="/graphql" icon={<IconCode size={16} />} label={t("developer.openGraphiql")} />
            <Explorer href="/docs" icon={<IconBook size={16} />} label={t("developer.openDocs")} />
            <Text size="xs" c="dimmed" maw={260}>
              {t("developer.loggedIn")}
            </Text>
          </Stack>
        </Group>
      </Paper>
      <Paper p="sm">
        <Stack gap="xs">
          <Title order={2}>{t("developer.first")}</Title>
          <Group gap="xs">
            <Text size="sm" c="dimmed">
              {t("developer.firstText")}
            </Text>
            <Anchor component={Link} size="sm" to="/tokens?new=1">
              {t("tokens.new")}
            </Anchor>
          </Group>
          <CodeBlock title={t("developer.curlMe")} code={curlMe()} />
          <CodeBlock title={t("developer.curlSend")} code={curlSend()} />
          <CodeBlock title={t("developer.curlGraphql")} code={curlGraphql()} />
        </Stack>
      </Paper>
      <SandboxRecipients />
    </Stack>
  );
}

function Fact({ name, value }: { name: string; value: string }) {
  const { t } = useTranslation();
  return (
    <>
      <dt>{name}</dt>
      <dd>
        <Group gap={4} wrap="nowrap">
          <Text size="sm" ff="monospace" className={classes.anywhere}>
            {value}
          </Text>
          <CopyButton small text={value} label={t("common.copyOf", { what: name })} />
        </Group>
      </dd>
    </>
  );
}

function Explorer({ href, icon, label }: { href: string; icon: ReactNode; label: string }) {
  return (
    <Button component="a" href={href} target="_blank" rel="noreferrer" variant="light" leftSection={icon}>
      {label}
    </Button>
  );
}
