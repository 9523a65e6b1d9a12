import {
  Button,
  Checkbox,
  Group,
  Loader,
  NumberInput,
  Paper,
  Stack,
  Switch,
  Text,
  Title,
} from "@mantine/core";
import { useState, type SubmitEvent } from "react";
import { useLoaded } from "../../../frame/api/useLoaded";
import { useTranslation } from "../../../frame/i18n";
import { Notice } from "../../../frame/ui/page/Notice";
import { ProblemNotice } from "../../../frame/ui/page/ProblemNotice";
import { MessengerBehaviour, SetMessengerBehaviour } from "../documents";
import classes from "../messengers.module.css";
import { behaviourOf, documentOf, MOST_ATTEMPTS, QUIET, STATES, type Behaviour } from "./behaviour";
import { useAct } from "./useAct";
import type { Account } from "./useAccount";

/** What the account does by itself: the document `default` of its configuration. */
export function BehaviourForm({ account }: { account: Account }) {
  const { t } = useTranslation();
  const { data, problem, reload } = useLoaded(MessengerBehaviour, { id: account.uuid });
  const stored = data?.messengerConfig;
  return (
    <Paper p="sm">
      <Title order={2}>{t("messengers.behaviour.title")}</Title>
      <Text size="sm" mb="xs">
        {t("messengers.behaviour.text")}
      </Text>
      {problem && <ProblemNotice problem={problem} onRetry={reload} />}
      {!stored && !problem && <Loader size="sm" aria-label={t("common.loading")} />}
      {stored && <Fields account={account} stored={behaviourOf(stored.config)} onSaved={reload} />}
    </Paper>
  );
}

interface FieldsProps {
  account: Account;
  stored: Behaviour;
  onSaved: () => void;
}

function Fields({ account, stored, onSaved }: FieldsProps) {
  const { t } = useTranslation();
  const { act, busy, problem, forget } = useAct();
  const [edits, setEdits] = useState<Partial<Behaviour>>({});
  const [saved, setSaved] = useState(false);
  const behaviour = { ...stored, ...edits };
  const isChanged = JSON.stringify(documentOf(behaviour)) !== JSON.stringify(documentOf(stored));

  function change(part: Partial<Behaviour>) {
    setEdits((before) => ({ ...before, ...part }));
    setSaved(false);
    forget();
  }
  async function save(event: SubmitEvent) {
    event.preventDefault();
    const config = documentOf(behaviour);
    if (!(await act(SetMessengerBehaviour, { id: account.uuid, input: { name: "default", config } }))) return;
    setSaved(true);
    onSaved();
  }

  return (
    <form onSubmit={save} noValidate>
      <Stack gap="sm">
        {(["autoRead", "takeover", "reconnect"] as const).map((name) => (
          <Switch
            key={name}
            label={t(`messengers.behaviour.${name}`)}
            description={t(`messengers.behaviour.${name}Hint`)}
            checked={behaviour[name]}
            onChange={(event) => change({ [name]: event.currentTarget.checked })}
          />
        ))}
        {behaviour.reconnect && (
          <NumberInput
            maw={480}
            label={t("messengers.behaviour.maxAttempts")}
            description={t("messengers.behaviour.maxAttemptsHint")}
            min={1}
            max={MOST_ATTEMPTS}
            allowDecimal={false}
            hideControls
            value={behaviour.maxAttempts ?? ""}
            onChange={(value) =>
              change({ maxAttempts: typeof value === "number" && value > 0 ? value : null })
            }
          />
        )}
        <Checkbox.Group
          label={t("messengers.behaviour.quiet")}
          value={behaviour.quiet}
          onChange={(chosen) => change({ quiet: QUIET.filter((name) => chosen.includes(name)) })}
        >
          <div className={classes.checks}>
            {QUIET.map((name) => (
              <Checkbox key={name} size="xs" value={name} label={t(`messengers.behaviour.${name}`)} />
            ))}
          </div>
        </Checkbox.Group>
        <Checkbox.Group
          label={t("messengers.behaviour.states")}
          value={behaviour.states}
          onChange={(chosen) => change({ states: STATES.filter((name) => chosen.includes(name)) })}
        >
          <div className={classes.checks}>
            {STATES.map((name) => (
              <Checkbox key={name} size="xs" value={name} label={t(`messengers.states.${name}`)} />
            ))}
          </div>
        </Checkbox.Group>
        {problem && <ProblemNotice problem={problem} />}
        <Notice message={saved ? t("messengers.behaviour.saved") : null} />
        <Group>
          <Button
            type="submit"
            loading={busy}
            disabled={!isChanged}
            title={!isChanged ? t("common.unchanged") : undefined}
          >
            {t("common.save")}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
