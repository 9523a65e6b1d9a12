import { Badge, Button, Group, Loader, Modal, Stack } from "@mantine/core";
import { useState, type ReactNode } from "react";
import { useClient } from "urql";
import { problemOf, type Problem } from "../../../../frame/api/errors";
import { useLoaded } from "../../../../frame/api/useLoaded";
import { useFormat } from "../../../../frame/values/format";
import { useTranslation } from "../../../../frame/i18n";
import { useViewer } from "../../../../frame/session";
import { ProblemNotice } from "../../../../frame/ui/page/ProblemNotice";
import { useVisibleInterval } from "../../../../frame/ui/useInterval";
import { useFocusBack } from "../../../../frame/ui/dialogs/useFocusBack";
import { CopyButton } from "../../../../frame/ui/CopyButton";
import type { HookFragment, OneDeliveryQuery } from "../../../../gql/graphql";
import classes from "../../developer.module.css";
import { CodeBlock, Json } from "../../ui/CodeBlock";
import { OneDelivery, ReplayDead, TryHookNow } from "../documents";
import { Attempts } from "./Attempts";
import { DELIVERY_COLORS } from "./model";
import { pretty } from "../pretty";

const POLL_MS = 2_000;

interface Props {
  hook: HookFragment;
  uuid: string;
  onReplayed: (count: number) => void;
  onClose: () => void;
}

type Delivery = NonNullable<OneDeliveryQuery["webhookDelivery"]>;

/** One delivery: the request, the answer, and what happens next. */
export function DeliveryDialog({ hook, uuid, onReplayed, onClose }: Props) {
  const { t } = useTranslation();
  const client = useClient();
  const { may } = useViewer();
  useFocusBack();
  const { data, problem, loading, reload } = useLoaded(OneDelivery, { id: uuid });
  useVisibleInterval(() => {
    if (data?.webhookDelivery?.state === "waiting") reload();
  }, POLL_MS);
  const [busy, setBusy] = useState(false);
  const [failed, setFailed] = useState<Problem | null>(null);
  const delivery = data?.webhookDelivery;

  async function replay() {
    setBusy(true);
    setFailed(null);
    const answer = await client.mutation(ReplayDead, { id: hook.uuid, letters: [uuid] }).toPromise();
    setBusy(false);
    if (answer.error) setFailed(problemOf(answer.error));
    else onReplayed(answer.data?.replayDeadLetters ?? 0);
  }

  async function tryNow() {
    setBusy(true);
    setFailed(null);
    const answer = await client.mutation(TryHookNow, { id: hook.uuid }).toPromise();
    setBusy(false);
    if (answer.error) setFailed(problemOf(answer.error));
    reload();
  }

  return (
    <Modal
      opened
      onClose={onClose}
      title={delivery?.type ?? t("hooks.delivery")}
      size="xl"
      closeButtonProps={{ "aria-label": t("common.close") }}
    >
      <Stack gap="sm">
        {problem && <ProblemNotice problem={problem} />}
        {!delivery && loading && <Loader size="sm" aria-label={t("common.loading")} />}
        {delivery && <Shown hook={hook} delivery={delivery} />}
        {failed && <ProblemNotice problem={failed} />}
        <Group justify="flex-end">
          {delivery?.state === "waiting" && delivery.attempts > 0 && hook.enabled && may("events:write") && (
            <Button variant="light" loading={busy} onClick={tryNow}>
              {t("hooks.tryNow")}
            </Button>
          )}
          {delivery?.state === "dead" && may("messengers:write") && (
            <Button variant="light" loading={busy} onClick={replay}>
              {t("hooks.replayOne")}
            </Button>
          )}
          <Button onClick={onClose}>{t("common.close")}</Button>
        </Group>
      </Stack>
    </Modal>
  );
}

function Shown({ hook, delivery }: { hook: HookFragment; delivery: Delivery }) {
  const { t } = useTranslation();
  const format = useFormat();
  const facts: [string, ReactNode][] = [
    [
      t("hooks.state"),
      <Badge key="state" variant="light" color={DELIVERY_COLORS[delivery.state]} tt="none" fw={500}>
        {t(`hooks.deliveryStates.${delivery.state}`)}
      </Badge>,
    ],
    [t("hooks.attempts"), format.number(delivery.attempts)],
  ];
  facts.push([
    t("hooks.eventId"),
    <Group key="event" gap={4} wrap="nowrap">
      {delivery.eventId}
      <CopyButton small text={delivery.eventId} label={t("common.copyOf", { what: t("hooks.eventId") })} />
    </Group>,
  ]);
  return (
    <>
      <dl className={classes.facts}>
        {facts.map(([name, value]) => (
          <FactRow key={name} name={name} value={value} />
        ))}
      </dl>
      <Attempts hook={hook} delivery={delivery} />
      {delivery.attempts > 0 && (
        <CodeBlock
          wrapped
          title={t("hooks.answer")}
          code={pretty(delivery.answer ?? "") || t("hooks.noAnswer")}
        />
      )}
      <CodeBlock
        wrapped
        title={t("hooks.requestHeaders")}
        code={headersOf(hook, delivery, t("hooks.perAttempt"))}
      />
      <Json title={t("hooks.requestBody")} value={delivery.body} />
    </>
  );
}

function FactRow({ name, value }: { name: string; value: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </>
  );
}

/** Returns the headers of the request. Those that each attempt has its own of are not stored. */
function headersOf(hook: HookFragment, delivery: Delivery, perAttempt: string): string {
  const lines = [`POST ${hook.url}`, "content-type: application/json"];
  lines.push(`webhook-id: ${hook.batch > 1 ? perAttempt : delivery.eventId}`);
  lines.push(`webhook-timestamp: ${perAttempt}`, `webhook-signature: v1,${perAttempt}`);
  if (delivery.replayed) lines.push("postern-replayed: true");
  return lines.join("\n");
}
