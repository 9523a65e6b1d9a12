import { ActionIcon, Menu } from "@mantine/core";
import { IconBell, IconBellOff, IconCheck } from "@tabler/icons-react";
import { useState } from "react";
import { useTranslation } from "../../../frame/i18n";
import { choose, isPossible, LEVELS, useLevel, type Level } from "./notify";

/** Chooses what the browser tells of new messages while nobody looks at the page. */
export function NotifyMenu() {
  const { t } = useTranslation();
  const level = useLevel();
  const [refused, setRefused] = useState(false);
  if (!isPossible()) return null;
  const change = (next: Level) => void choose(next).then((allowed) => setRefused(!allowed));
  return (
    <Menu closeOnItemClick={false}>
      <Menu.Target>
        <ActionIcon variant="default" size="input-sm" aria-label={t("inbox.notify.title")}>
          {level === "off" ? <IconBellOff size={16} /> : <IconBell size={16} />}
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown maw={300}>
        <Menu.Label>{t(refused ? "inbox.notify.refused" : "inbox.notify.about")}</Menu.Label>
        {LEVELS.map((item) => (
          <Menu.Item
            key={item}
            aria-current={item === level}
            rightSection={item === level ? <IconCheck size={14} /> : null}
            onClick={() => change(item)}
          >
            {t(`inbox.notify.levels.${item}`)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
