import { ActionIcon, Button, Group, Menu } from "@mantine/core";
import {
  IconDots,
  IconInbox,
  IconLogout,
  IconPlayerPlay,
  IconPlayerStop,
  IconTrash,
} from "@tabler/icons-react";
import { useState } from "react";
import { Link, useNavigate } from "react-router";
import { useTranslation } from "../../../frame/i18n";
import { useViewer } from "../../../frame/session";
import { Confirm } from "../../../frame/ui/dialogs/Confirm";
import { ProblemNotice } from "../../../frame/ui/page/ProblemNotice";
import { ClearMessenger, DeleteMessenger, StartMessenger, StopMessenger } from "../documents";
import { isInactive } from "../states";
import { useAct } from "./useAct";
import type { Account } from "./useAccount";

type Question = "stop" | "clear" | "delete";

/** What can be done with the whole account. Starting asks nothing, because it changes nothing that lasts. */
export function Actions({ account }: { account: Account }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { may, uses } = useViewer();
  const writes = may("messengers:write");
  const { act, busy, problem, forget } = useAct();
  const [confirming, setConfirming] = useState<Question | null>(null);
  const id = account.uuid;
  const inactive = isInactive(account.state);
  const values = { name: account.name, messenger: t(`channels.${account.source}`) };
  const ask = (question: Question) => {
    forget();
    setConfirming(question);
  };

  async function confirm() {
    if (confirming === "delete") {
      if (!(await act(DeleteMessenger, { id }))) return;
      void navigate("/messengers", { state: { deleted: account.name } });
    } else if (await (confirming === "clear" ? act(ClearMessenger, { id }) : act(StopMessenger, { id }))) {
      setConfirming(null);
    }
  }

  return (
    <>
      <Group gap={6}>
        {uses("messengers") && (
          <Button
            component={Link}
            to={`/inbox?account=${id}`}
            variant="default"
            leftSection={<IconInbox size={14} />}
          >
            {t("messengers.openInbox")}
          </Button>
        )}
        {writes &&
          (inactive ? (
            <Button
              leftSection={<IconPlayerPlay size={14} />}
              loading={busy && !confirming}
              onClick={() => void act(StartMessenger, { id })}
            >
              {t("messengers.start")}
            </Button>
          ) : (
            <Button variant="default" leftSection={<IconPlayerStop size={14} />} onClick={() => ask("stop")}>
              {t("messengers.stop")}
            </Button>
          ))}
        {writes && (
          <Menu>
            <Menu.Target>
              <ActionIcon variant="default" size={30} aria-label={t("messengers.moreActions")}>
                <IconDots size={16} />
              </ActionIcon>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Item leftSection={<IconLogout size={14} />} onClick={() => ask("clear")}>
                {t("messengers.clear")}
              </Menu.Item>
              <Menu.Item
                leftSection={<IconTrash size={14} />}
                color="var(--console-danger)"
                onClick={() => ask("delete")}
              >
                {t("messengers.delete")}
              </Menu.Item>
            </Menu.Dropdown>
          </Menu>
        )}
      </Group>
      {problem && !confirming && <ProblemNotice problem={problem} />}
      <Confirm
        opened={confirming !== null}
        title={confirming ? t(`messengers.ask.${confirming}.title`, values) : ""}
        question={confirming ? t(`messengers.ask.${confirming}.text`, values) : ""}
        action={confirming ? t(`messengers.ask.${confirming}.action`) : ""}
        problem={problem}
        onConfirm={confirm}
        onClose={() => setConfirming(null)}
      />
    </>
  );
}
