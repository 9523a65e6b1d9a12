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
import { Confirm } from "../../../frame/ui/Confirm";
import { ProblemNotice } from "../../../frame/ui/ProblemNotice";
import { ClearMessenger, DeleteMessenger, StartMessenger, StopMessenger } from "../documents";
import { isInactive } from "../states";
import { useAct } from "./useAct";
import type { Account } from "./useAccount";

type Question = "stop" | "clear" | "delete";

/** What can be done with the whole account. Starting asks nothing, because it changes nothing that lasts. */
export function Actions({ account }: { account: Account }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { act, busy, problem, forget } = useAct();
  const [asked, setAsked] = useState<Question | null>(null);
  const id = account.uuid;
  const inactive = isInactive(account.state);
  const values = { name: account.name, messenger: t(`channels.${account.source}`) };
  const ask = (question: Question) => {
    forget();
    setAsked(question);
  };

  async function confirm() {
    if (asked === "delete") {
      if (!(await act(DeleteMessenger, { id }))) return;
      void navigate("/messengers", { state: { deleted: account.name } });
    } else if (await (asked === "clear" ? act(ClearMessenger, { id }) : act(StopMessenger, { id }))) {
      setAsked(null);
    }
  }

  return (
    <>
      <Group gap={6}>
        <Button
          component={Link}
          to={`/inbox?account=${id}`}
          variant="default"
          leftSection={<IconInbox size={14} />}
        >
          {t("messengers.openInbox")}
        </Button>
        {inactive ? (
          <Button
            leftSection={<IconPlayerPlay size={14} />}
            loading={busy && !asked}
            onClick={() => void act(StartMessenger, { id })}
          >
            {t("messengers.start")}
          </Button>
        ) : (
          <Button variant="default" leftSection={<IconPlayerStop size={14} />} onClick={() => ask("stop")}>
            {t("messengers.stop")}
          </Button>
        )}
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
            <Menu.Item leftSection={<IconTrash size={14} />} color="red" onClick={() => ask("delete")}>
              {t("messengers.delete")}
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      </Group>
      {problem && !asked && <ProblemNotice problem={problem} />}
      <Confirm
        opened={asked !== null}
        title={asked ? t(`messengers.ask.${asked}.title`, values) : ""}
        question={asked ? t(`messengers.ask.${asked}.text`, values) : ""}
        action={asked ? t(`messengers.ask.${asked}.action`) : ""}
        problem={problem}
        onConfirm={confirm}
        onClose={() => setAsked(null)}
      />
    </>
  );
}
