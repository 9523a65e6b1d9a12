import { ActionIcon, Menu } from "@mantine/core";
import {
  IconDots,
  IconPencil,
  IconPlayerPlay,
  IconPlayerStop,
  IconRepeat,
  IconSend,
  IconTrash,
} from "@tabler/icons-react";
import { useTranslation } from "../../frame/i18n";
import type { SinkRow } from "./useEventSinks";

export type Action = "edit" | "test" | "replay" | "enable" | "off" | "remove";

interface Props {
  row: SinkRow;
  busy: boolean;
  onAct: (action: Action, row: SinkRow) => void;
}

/** What can be done with a sink. */
export function SinkMenu({ row, busy, onAct }: Props) {
  const { t } = useTranslation();
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon
          variant="subtle"
          color="gray"
          loading={busy}
          aria-label={t("eventSinks.actionsOf", { name: row.name })}
        >
          <IconDots size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconSend size={14} />} onClick={() => onAct("test", row)}>
          {t("eventSinks.test")}
        </Menu.Item>
        <Menu.Item leftSection={<IconPencil size={14} />} onClick={() => onAct("edit", row)}>
          {t("eventSinks.edit")}
        </Menu.Item>
        {row.enabled && (
          <Menu.Item leftSection={<IconRepeat size={14} />} onClick={() => onAct("replay", row)}>
            {t("eventSinks.replay")}
          </Menu.Item>
        )}
        {(!row.enabled || row.failures > 0) && (
          <Menu.Item leftSection={<IconPlayerPlay size={14} />} onClick={() => onAct("enable", row)}>
            {t(row.enabled ? "eventSinks.tryNow" : "eventSinks.enable")}
          </Menu.Item>
        )}
        {row.enabled && (
          <Menu.Item leftSection={<IconPlayerStop size={14} />} onClick={() => onAct("off", row)}>
            {t("eventSinks.switchOff")}
          </Menu.Item>
        )}
        <Menu.Item
          color="var(--console-danger)"
          leftSection={<IconTrash size={14} />}
          onClick={() => onAct("remove", row)}
        >
          {t("eventSinks.remove")}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
