import {
  Alert,
  Anchor,
  Breadcrumbs,
  Button,
  Code,
  Group,
  Loader,
  Paper,
  Stack,
  Text,
  Title,
} from "@mantine/core";
import { IconRepeat } from "@tabler/icons-react";
import { Suspense, useCallback, useEffect, useState } from "react";
import { lazyFile } from "../../../frame/api/consoleFiles";
import { useBilling } from "../../../frame/billing";
import { useTranslation } from "../../../frame/i18n";
import { Link, useParams } from "react-router";
import { useSubscription } from "urql";
import { useLoaded } from "../../../frame/api/useLoaded";
import { useViewer } from "../../../frame/session";
import { Confirm } from "../../../frame/ui/dialogs/Confirm";
import { CopyButton } from "../../../frame/ui/CopyButton";
import { NotFound } from "../../../frame/ui/page/NotFound";
import { ProblemNotice } from "../../../frame/ui/page/ProblemNotice";
import { StateBadge } from "../../../frame/ui/StateBadge";
import { useVisibleInterval } from "../../../frame/ui/useInterval";
import { usePageTitle } from "../../../frame/ui/page/usePageTitle";
import { PageHead } from "../../../frame/ui/page/PageHead";
import { asAddress } from "../../../frame/values/phone";
import { Choices, choicesFor, OneChanged, OneMessage } from "../documents";
import { CancelButton } from "./CancelButton";
import { ChainCard } from "./ChainCard";
import { DeliveriesCard } from "./DeliveriesCard";
import { ReportsCard } from "./ReportsCard";
import { useFailure } from "../../../frame/failure/failure";
import { LetterCard } from "./LetterCard";
import { Facts, LedgerCard, Steps } from "./MessageParts";
import classes from "../messages.module.css";
import type { Draft } from "../send/draft";
import { storyOf, type Story } from "./story";
import { metadataOf } from "../send/draft";

const SendDialog = lazyFile(() =>
  import("../send/SendDialog").then(({ SendDialog }) => ({ default: SendDialog })),
);
const POLL_MS = 15_000;
const BLOCKED: ReadonlySet<string> = new Set(["blocked", "recipient_blocked"]);

export default function MessagePage() {
  const { uuid = "" } = useParams();
  return <OnePage key={uuid} uuid={uuid} />;
}

function OnePage({ uuid }: { uuid: string }) {
  const { t } = useTranslation();
  const viewer = useViewer();
  const loaded = useLoaded(OneMessage, {
    id: uuid,
    admin: viewer.isAdmin,
    direct: viewer.may("messages:read"),
    record: viewer.may("recipients:read"),
    deliveries: viewer.may("messengers:read"),
    senders: viewer.may("senders:read"),
  });
  const { data, problem, reload } = loaded;
  const story = data ? storyOf(data) : null;
  usePageTitle(story?.row.address ?? t("message.title"));

  // Changes of direct messages are pushed; messages of projects are polled.
  const [changed] = useSubscription({
    query: OneChanged,
    variables: { id: uuid },
    pause: !story?.open || !story.direct,
  });
  const newest = changed.data?.messageStatusChanged.updatedAt;
  const outdated = Boolean(newest && story && newest > story.row.updatedAt);
  useEffect(() => {
    if (outdated) reload();
  }, [outdated, newest, reload]);
  useVisibleInterval(
    useCallback(() => {
      if (story?.open) reload();
    }, [story?.open, reload]),
    POLL_MS,
  );

  if (!story) {
    if (!data && loaded.loading) return <Loader size="sm" aria-label={t("common.loading")} />;
    // The id belongs to one of two kinds, so one "not found" is normal, and two say that there is none.
    if (!problem || problem.code === "message_not_found" || problem.code === "bad_id") {
      return <NotFound text={t("message.notFound")} />;
    }
    return <ProblemNotice problem={problem} onRetry={reload} />;
  }
  return <Shown story={story} onChanged={reload} />;
}

function Shown({ story, onChanged }: { story: Story; onChanged: () => void }) {
  const { t, textOr } = useTranslation();
  const { may, uses } = useViewer();
  const { row, direct, record } = story;
  const canceled = row.state === "canceled";
  const failure = useFailure(canceled ? null : row.failureCode);
  const [late, setLate] = useState(false);
  const reason = direct?.failureReason ?? record?.failureReason;
  // The reason names why the address is blocked: "The address is blocked (hardBounce)."
  const blocked = BLOCKED.has(row.failureCode ?? "") ? /\((\w+)\)/.exec(reason ?? "")?.[1] : undefined;
  const provider = direct?.provider ?? record?.provider;
  const isFree = useBilling() === "off";
  const refunded = (row.state === "failed" || row.state === "skipped" || (canceled && direct)) && !isFree;
  const canceledText =
    row.failureCode && (textOr(`message.canceledBecause.${row.failureCode}`, "") || reason);
  return (
    <Stack gap="sm">
      <Breadcrumbs>
        <Anchor component={Link} to={record ? "/messages?kind=project" : "/messages"} size="sm">
          {t("nav.messages")}
        </Anchor>
        <Text size="sm" c="dimmed">
          {textOr(`channels.${row.channel}`, row.channel)}
        </Text>
      </Breadcrumbs>
      <PageHead title={row.address || t("message.title")} note={<StateBadge state={row.state} />}>
        {story.cancelable && may("messages:send") && (
          <CancelButton
            uuid={row.uuid}
            onEnd={(isCanceled) => {
              setLate(!isCanceled);
              onChanged();
            }}
          />
        )}
        {direct && !row.inbound && may("messages:send") && <SendAgain story={story} />}
        {uses("messengers") && may("messengers:read") && hasChat(row) && (
          <Button component={Link} variant="default" to={`/inbox?to=${encodeURIComponent(row.address)}`}>
            {t("palette.openChat", { address: row.address })}
          </Button>
        )}
      </PageHead>
      {late && !canceled && (
        <Alert color="orange" role="alert">
          {t("message.cancelLate")}
        </Alert>
      )}
      {canceled && (
        <Alert color="gray" role="status" title={t("message.canceled")}>
          <Text size="sm">{canceledText}</Text>
          {refunded && <Text size="sm">{t("message.refunded")}</Text>}
        </Alert>
      )}
      {failure && (
        <Alert color={row.state === "unknown" ? "orange" : "red"} title={failure.what}>
          {reason && <Text size="sm">{t("message.providerSays", { reason })}</Text>}
          <Text size="sm">
            {(blocked && textOr(`message.blockedBecause.${blocked}`, "")) || failure.next}
          </Text>
          {refunded && <Text size="sm">{t("message.refunded")}</Text>}
          <Text size="xs" c="dimmed">
            {t("message.code")} <Code>{row.failureCode}</Code>
          </Text>
        </Alert>
      )}
      {provider?.startsWith("sandbox") && <Alert color="blue">{t("message.sandbox")}</Alert>}
      {row.state === "unknown" && !failure && (
        <Alert color="orange">{t(isFree ? "message.unknownFree" : "message.unknown")}</Alert>
      )}
      <div className={classes.story}>
        <Stack gap="sm">
          <Paper p="sm">
            <Title order={2} mb="xs" style={{ overflowWrap: "anywhere" }}>
              {story.title || t("message.content")}
            </Title>
            {row.text ? (
              <pre className={classes.body}>{row.text}</pre>
            ) : (
              <Text size="sm" c="dimmed">
                {t("message.noText")}
              </Text>
            )}
          </Paper>
          <LetterCard story={story} />
          <Paper p="sm">
            <Title order={2} mb="xs">
              {t("message.states")}
            </Title>
            <Steps story={story} />
          </Paper>
        </Stack>
        <Stack gap="sm">
          <Paper p="sm">
            <Group justify="space-between" mb="xs">
              <Title order={2}>{t("message.facts")}</Title>
              <CopyButton named text={row.uuid} label={t("message.copyId")} />
            </Group>
            <Facts story={story} />
          </Paper>
          {direct && <ChainCard message={direct} />}
          {direct && <LedgerCard message={direct} />}
          <ReportsCard story={story} />
          <DeliveriesCard story={story} />
        </Stack>
      </div>
    </Stack>
  );
}

function hasChat({ channel, address }: Story["row"]): boolean {
  return (channel === "telegram" || channel === "whatsapp") && asAddress(address) !== null;
}

/** Opens the dialog with the same content. Postern has no resending: it is a new message with a price of its own. */
function SendAgain({ story }: { story: Story }) {
  const { t } = useTranslation();
  const { row, direct, title } = story;
  const choices = useLoaded(Choices, choicesFor(useViewer()));
  const isFree = useBilling() === "off";
  const [step, setStep] = useState<"closed" | "asking" | "writing">("closed");
  if (!direct) return null;
  const draft: Draft = {
    channel: direct.channel,
    to: direct.to,
    body: direct.body,
    title,
    account: direct.accountId,
    ...metadataOf(direct.metadata),
  };
  const mayArrive = row.state !== "failed" && row.state !== "canceled";
  const close = () => setStep("closed");
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconRepeat size={14} />}
        onClick={() => setStep(mayArrive ? "asking" : "writing")}
      >
        {t("message.again")}
      </Button>
      <Confirm
        opened={step === "asking"}
        title={t("message.again")}
        question={[
          t(row.state === "unknown" ? "message.againUnknown" : "message.againTwice"),
          isFree ? "" : t("message.againPaid"),
        ]
          .filter(Boolean)
          .join(" ")}
        action={t("message.againContinue")}
        problem={null}
        onConfirm={() => {
          setStep("writing");
          return Promise.resolve();
        }}
        onClose={close}
      />
      {step === "writing" && (
        <Suspense>
          <SendDialog choices={choices.data} draft={draft} onClose={close} onSent={() => undefined} />
        </Suspense>
      )}
    </>
  );
}
