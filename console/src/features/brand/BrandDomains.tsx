import { Badge, Button, Code, Group, Paper, Stack, Text, TextInput, Title } from "@mantine/core";
import { IconPlus, IconRefresh, IconTrash } from "@tabler/icons-react";
import { useState } from "react";
import { useClient } from "urql";
import { useContentKey } from "../../frame/api/ContentKey";
import { problemOf, type Problem } from "../../frame/api/errors";
import { useLoaded } from "../../frame/api/useLoaded";
import { useRequestForm } from "../../frame/form/useRequestForm";
import { useTranslation } from "../../frame/i18n";
import { CopyButton } from "../../frame/ui/CopyButton";
import { Question } from "../../frame/ui/dialogs/Question";
import { ProblemNotice } from "../../frame/ui/page/ProblemNotice";
import { useVisibleInterval } from "../../frame/ui/useInterval";
import type { LinkDomainsQuery } from "../../gql/graphql";
import classes from "./brand.module.css";
import { AddLinkDomain, CheckLinkDomain, DeleteLinkDomain, LinkDomains } from "./documents";

const POLL_MS = 30_000;
const COLORS = { pending: "blue", verified: "teal", lost: "orange", expired: "red" } as const;

type Domain = NonNullable<LinkDomainsQuery["brandDomains"]>["nodes"][number];

interface Props {
  writes: boolean;
  onVerified: (name: string) => void;
}

/** The domains for links and pages: each with the record that proves it, and its state. */
export function BrandDomains({ writes, onVerified }: Props) {
  const { t } = useTranslation();
  const client = useClient();
  const keys = useContentKey();
  const { data, problem, reload } = useLoaded(LinkDomains, {});
  useVisibleInterval(reload, POLL_MS);
  const form = useRequestForm({ initialValues: { name: "" } });
  const domains = data?.brandDomains?.nodes;

  const add = form.sends(async ({ name }) => {
    const input = { name: name.trim() };
    const { data: added, error } = await client
      .mutation(AddLinkDomain, { input }, keys.of(input))
      .toPromise();
    if (!added?.createBrandDomain) return error;
    keys.renew();
    form.reset();
    reload();
  });

  return (
    <Paper p="sm">
      <Stack gap="sm">
        <div>
          <Title order={2}>{t("brand.domains")}</Title>
          <Text size="xs" c="dimmed">
            {t("brand.domainsAbout")}
          </Text>
        </div>
        {problem && <ProblemNotice problem={problem} onRetry={reload} />}
        {domains?.length === 0 && (
          <Text size="sm" c="dimmed">
            {t("brand.noDomains")}
          </Text>
        )}
        {domains?.map((domain) => (
          <OneDomain
            key={domain.uuid}
            domain={domain}
            writes={writes}
            reload={reload}
            onVerified={onVerified}
          />
        ))}
        {writes && (
          <form onSubmit={add} noValidate>
            <Group align="flex-end" gap="xs">
              <TextInput
                flex={1}
                miw={180}
                label={t("brand.domain")}
                description={t("brand.domainHint")}
                placeholder="links.example.com"
                maxLength={253}
                autoCapitalize="off"
                spellCheck={false}
                {...form.getInputProps("name")}
              />
              <Button
                type="submit"
                variant="default"
                leftSection={<IconPlus size={14} />}
                loading={form.busy}
                disabled={!form.getValues().name.trim()}
              >
                {t("brand.addDomain")}
              </Button>
            </Group>
            {form.problem && <ProblemNotice problem={form.problem} />}
          </form>
        )}
      </Stack>
    </Paper>
  );
}

function OneDomain({ domain, writes, reload, onVerified }: Props & { domain: Domain; reload: () => void }) {
  const { t } = useTranslation();
  const client = useClient();
  const [busy, setBusy] = useState(false);
  const [asking, setAsking] = useState(false);
  const [refused, setRefused] = useState<Problem | null>(null);
  const { uuid, name, status, recordName, recordValue, problem } = domain;

  async function check() {
    setBusy(true);
    setRefused(null);
    const { data, error } = await client.mutation(CheckLinkDomain, { id: uuid }).toPromise();
    setBusy(false);
    if (error) setRefused(problemOf(error));
    if (data?.verifyBrandDomain?.status === "verified") onVerified(name);
    reload();
  }

  return (
    <section aria-label={name}>
      <Group justify="space-between" gap="xs">
        <Group gap="xs">
          <Text size="sm" fw={600} className={classes.anywhere}>
            {name}
          </Text>
          <Badge variant="light" color={COLORS[status]} radius="sm" size="sm" tt="none" fw={500}>
            {t(`brand.states.${status}`)}
          </Badge>
        </Group>
        {writes && (
          <Group gap="xs">
            <Button
              size="xs"
              variant="default"
              leftSection={<IconRefresh size={14} />}
              loading={busy}
              aria-label={t("brand.checkOf", { name })}
              onClick={() => void check()}
            >
              {t("brand.check")}
            </Button>
            <Button
              size="xs"
              variant="default"
              leftSection={<IconTrash size={14} />}
              aria-label={t("brand.removeOf", { name })}
              onClick={() => setAsking(true)}
            >
              {t("brand.remove")}
            </Button>
          </Group>
        )}
      </Group>
      {problem && (
        <Text size="sm" className={classes.anywhere}>
          {problem}
        </Text>
      )}
      {refused && <ProblemNotice problem={refused} />}
      <Text size="xs" c="dimmed" mt={4}>
        {t("brand.record")}
      </Text>
      <dl className={classes.record}>
        <dt>{t("brand.recordName")}</dt>
        <dd>
          <Code className={classes.anywhere}>{recordName}</Code>
          <CopyButton small text={recordName} label={t("brand.copyName", { name })} />
        </dd>
        <dt>{t("brand.recordValue")}</dt>
        <dd>
          <Code className={classes.anywhere}>{recordValue}</Code>
          <CopyButton small text={recordValue} label={t("brand.copyValue", { name })} />
        </dd>
      </dl>
      {asking && (
        <Question
          title={t("brand.removeTitle", { name })}
          question={t("brand.removeText")}
          action={t("brand.remove")}
          mutation={DeleteLinkDomain}
          variables={{ id: uuid }}
          onDone={() => {
            setAsking(false);
            reload();
          }}
          onClose={() => setAsking(false)}
        />
      )}
    </section>
  );
}
