import "../styles";
import {
  Anchor,
  Breadcrumbs,
  Button,
  Group,
  Paper,
  SegmentedControl,
  Select,
  Stack,
  Text,
  TextInput,
} from "@mantine/core";
import { useState, type SubmitEvent } from "react";
import { Link, useNavigate, useSearchParams } from "react-router";
import { useClient } from "urql";
import { elsewhere, problemOf, type Problem } from "../../../frame/api/errors";
import { useTranslation } from "../../../frame/i18n";
import { useViewer } from "../../../frame/session";
import { ProblemNotice } from "../../../frame/ui/page/ProblemNotice";
import { usePageTitle } from "../../../frame/ui/page/usePageTitle";
import { Narrow } from "../../../frame/ui/page/Narrow";
import { PageHead } from "../../../frame/ui/page/PageHead";
import { SecretDialog } from "../../../frame/ui/dialogs/SecretDialog";
import { CHECK_SIGNATURE } from "../snippets";
import { CodeBlock } from "../ui/CodeBlock";
import { AccountEvents, type AccountEvent } from "./AccountEvents";
import { AddHook, CreateHook } from "./documents";
import { useChoices } from "./useChoices";
import { DocumentTrial } from "./DocumentTrial";
import { EMPTY, inputOf } from "./draft";
import { Fields, SHOWN_AT_FIELDS } from "./Fields";

/** Makes a webhook of the event feed, or one of a messenger account. */
export default function NewWebhookPage() {
  const { t } = useTranslation();
  const client = useClient();
  const navigate = useNavigate();
  const [params, setParams] = useSearchParams();
  const both = useViewer().may("messengers:write");
  const ofAccount = both && params.get("of") === "account";
  const account = params.get("account");
  const choices = useChoices();
  const [draft, setDraft] = useState(EMPTY);
  const [events, setEvents] = useState<AccountEvent[]>([]);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [made, setMade] = useState<{ uuid: string; secret: string } | null>(null);
  usePageTitle(t("hooks.newTitle"));
  const change = (part: Partial<typeof draft>) => {
    setDraft((before) => ({ ...before, ...part }));
    setProblem(null);
  };

  async function create(event: SubmitEvent) {
    event.preventDefault();
    setBusy(true);
    setProblem(null);
    const input = { webhookUrl: draft.url.trim(), events };
    const { saved, error } =
      ofAccount && account
        ? await client
            .mutation(AddHook, { account, input })
            .toPromise()
            .then((result) => ({ saved: result.data?.addWebhook, error: result.error }))
        : await client
            .mutation(CreateHook, { input: inputOf(draft) })
            .toPromise()
            .then((result) => ({ saved: result.data?.createWebhook, error: result.error }));
    setBusy(false);
    if (saved?.secret) setMade({ uuid: saved.webhook.uuid, secret: saved.secret });
    else if (saved) void navigate(`/webhooks/${saved.webhook.uuid}`);
    else if (error) setProblem(problemOf(error));
  }

  const noticed = elsewhere(problem, ofAccount ? ["webhookUrl"] : SHOWN_AT_FIELDS);
  return (
    <Stack gap="sm">
      <Breadcrumbs>
        <Anchor component={Link} to="/webhooks" size="sm">
          {t("nav.webhooks")}
        </Anchor>
        <Text size="sm" c="dimmed">
          {t("hooks.new")}
        </Text>
      </Breadcrumbs>
      <PageHead title={t("hooks.newTitle")} />
      <Narrow>
        {both && (
          <SegmentedControl
            aria-label={t("hooks.receives")}
            maw={460}
            value={ofAccount ? "account" : "feed"}
            onChange={(value) => setParams(value === "account" ? { of: "account" } : {}, { replace: true })}
            data={[
              { value: "feed", label: t("hooks.kindFeed") },
              { value: "account", label: t("hooks.kindAccount") },
            ]}
          />
        )}
        <Text size="sm" c="dimmed">
          {t(ofAccount ? "hooks.accountText" : "hooks.feedText")}
        </Text>
        <form onSubmit={create} noValidate>
          <Stack gap="sm">
            <Paper p="sm">
              {ofAccount ? (
                <Stack gap="sm">
                  <Select
                    label={t("hooks.messenger")}
                    placeholder={t("hooks.choose")}
                    nothingFoundMessage={t("hooks.noMessenger")}
                    value={account}
                    onChange={(value) =>
                      setParams(value ? { of: "account", account: value } : { of: "account" }, {
                        replace: true,
                      })
                    }
                    data={(choices?.messengerAccounts?.nodes ?? []).map(({ uuid, source, login, name }) => ({
                      value: uuid,
                      label: t("hooks.ofAccount", { source: t(`channels.${source}`), name: name || login }),
                    }))}
                  />
                  <TextInput
                    label={t("hooks.url")}
                    description={t("hooks.urlHint")}
                    placeholder="https://example.com/hook"
                    value={draft.url}
                    error={problem?.fields.webhookUrl}
                    onChange={(event) => change({ url: event.currentTarget.value })}
                  />
                  <AccountEvents value={events} onChange={setEvents} />
                </Stack>
              ) : (
                <Fields draft={draft} choices={choices} problem={problem} onChange={change} />
              )}
            </Paper>
            {!ofAccount && (
              <Paper p="sm">
                <DocumentTrial
                  query={draft.query}
                  types={draft.types}
                  onChange={(query) => change({ query })}
                />
              </Paper>
            )}
            {noticed && <ProblemNotice problem={noticed} />}
            <Group justify="flex-end">
              <Button component={Link} to="/webhooks" variant="default">
                {t("common.cancel")}
              </Button>
              <Button
                type="submit"
                loading={busy}
                disabled={!draft.url.trim() || (ofAccount && !account)}
                title={!draft.url.trim() || (ofAccount && !account) ? t("common.fillForm") : undefined}
              >
                {t("hooks.create")}
              </Button>
            </Group>
          </Stack>
        </form>
      </Narrow>
      {made && (
        <SecretDialog
          title={t("hooks.secretTitle")}
          secret={made.secret}
          onClose={() => void navigate(`/webhooks/${made.uuid}`)}
        >
          <CodeBlock title={t("hooks.checkSignature")} code={CHECK_SIGNATURE} />
        </SecretDialog>
      )}
    </Stack>
  );
}
