import { ActionIcon, Button, Group, Menu } from "@mantine/core";
import {
  IconDots,
  IconKey,
  IconPlayerPlay,
  IconPlayerStop,
  IconRepeat,
  IconSend,
  IconTrash,
} from "@tabler/icons-react";
import { useState } from "react";
import { useNavigate } from "react-router";
import { useClient } from "urql";
import { problemOf, type Problem } from "../../../frame/api/errors";
import { useTranslation } from "../../../frame/i18n";
import { useViewer } from "../../../frame/session";
import { ProblemNotice } from "../../../frame/ui/page/ProblemNotice";
import { SecretDialog } from "../../../frame/ui/dialogs/SecretDialog";
import { Question } from "../../../frame/ui/dialogs/Question";
import type { HookFragment, TestHookMutation } from "../../../gql/graphql";
import { CHECK_SIGNATURE } from "../snippets";
import { CodeBlock } from "../ui/CodeBlock";
import { ChangeHook, DeleteHook, RotateHookSigning, TestHook, TryHookNow } from "./documents";
import { ReplayDialog } from "./deliveries/ReplayDialog";
import { TestDialog } from "./TestDialog";

type Open = "none" | "off" | "delete" | "rotate" | "replay";
type Tested = NonNullable<TestHookMutation["testWebhook"]>;

/** What can be done with a webhook. */
export function Actions({ hook, onChanged }: { hook: HookFragment; onChanged: () => void }) {
  const { t } = useTranslation();
  const client = useClient();
  const navigate = useNavigate();
  const { may } = useViewer();
  const writes = may("messengers:write");
  const sends = may("events:write");
  const [open, setOpen] = useState<Open>("none");
  const [busy, setBusy] = useState<"test" | "on" | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [tested, setTested] = useState<Tested | null>(null);
  const [secret, setSecret] = useState<string | null>(null);
  const id = hook.uuid;
  const close = () => setOpen("none");

  async function test() {
    setBusy("test");
    setProblem(null);
    const { data, error } = await client.mutation(TestHook, { id }).toPromise();
    setBusy(null);
    if (data?.testWebhook) setTested(data.testWebhook);
    else if (error) setProblem(problemOf(error));
  }

  async function enable() {
    setBusy("on");
    setProblem(null);
    const { error } = hook.enabled
      ? await client.mutation(TryHookNow, { id }).toPromise()
      : await client.mutation(ChangeHook, { id, input: { enabled: true } }).toPromise();
    setBusy(null);
    if (error) setProblem(problemOf(error));
    onChanged();
  }

  return (
    <>
      <Group gap={6} justify="flex-end">
        {sends && (
          <Button
            variant="light"
            loading={busy === "test"}
            leftSection={<IconSend size={14} />}
            onClick={test}
          >
            {t("hooks.test")}
          </Button>
        )}
        {(hook.enabled ? sends && hook.failures > 0 : writes) && (
          <Button loading={busy === "on"} leftSection={<IconPlayerPlay size={14} />} onClick={enable}>
            {t(hook.enabled ? "hooks.tryNow" : "hooks.enable")}
          </Button>
        )}
        {(writes || (sends && !hook.account)) && (
          <Menu>
            <Menu.Target>
              <ActionIcon variant="default" size={30} aria-label={t("hooks.more")}>
                <IconDots size={16} />
              </ActionIcon>
            </Menu.Target>
            <Menu.Dropdown>
              {sends && !hook.account && (
                <Menu.Item leftSection={<IconRepeat size={14} />} onClick={() => setOpen("replay")}>
                  {t("hooks.replay")}
                </Menu.Item>
              )}
              {writes && (
                <Menu.Item leftSection={<IconKey size={14} />} onClick={() => setOpen("rotate")}>
                  {t("hooks.rotate")}
                </Menu.Item>
              )}
              {writes && hook.enabled && (
                <Menu.Item leftSection={<IconPlayerStop size={14} />} onClick={() => setOpen("off")}>
                  {t("hooks.switchOff")}
                </Menu.Item>
              )}
              {writes && (
                <Menu.Item
                  color="var(--console-danger)"
                  leftSection={<IconTrash size={14} />}
                  onClick={() => setOpen("delete")}
                >
                  {t("hooks.delete")}
                </Menu.Item>
              )}
            </Menu.Dropdown>
          </Menu>
        )}
      </Group>
      {problem && <ProblemNotice problem={problem} />}
      {tested && <TestDialog tested={tested} onClose={() => setTested(null)} />}
      {open === "replay" && (
        <ReplayDialog
          hook={hook}
          onClose={() => {
            close();
            onChanged();
          }}
        />
      )}
      {open === "off" && (
        <Question
          title={t("hooks.offTitle")}
          question={t(hook.account ? "hooks.offTextAccount" : "hooks.offText")}
          action={t("hooks.switchOff")}
          mutation={ChangeHook}
          variables={{ id, input: { enabled: false } }}
          onDone={() => {
            close();
            onChanged();
          }}
          onClose={close}
        />
      )}
      {open === "rotate" && (
        <Question
          title={t("hooks.rotateTitle")}
          question={t("hooks.rotateText")}
          action={t("hooks.rotate")}
          mutation={RotateHookSigning}
          variables={{ id }}
          onDone={(answer) => {
            close();
            setSecret(answer.rotateWebhookSecret?.secret ?? null);
            onChanged();
          }}
          onClose={close}
        />
      )}
      {open === "delete" && (
        <Question
          title={t("hooks.deleteTitle")}
          question={t("hooks.deleteText")}
          action={t("hooks.delete")}
          mutation={DeleteHook}
          variables={{ id }}
          onDone={() => void navigate("/webhooks")}
          onClose={close}
        />
      )}
      {secret && (
        <SecretDialog title={t("hooks.secretTitle")} secret={secret} onClose={() => setSecret(null)}>
          <CodeBlock title={t("hooks.checkSignature")} code={CHECK_SIGNATURE} />
        </SecretDialog>
      )}
    </>
  );
}
