import { Group, SegmentedControl, Switch } from "@mantine/core";
import { useElementSize } from "@mantine/hooks";
import { useState } from "react";
import { useTranslation } from "../../i18n";
import { HtmlFrame } from "../HtmlFrame";
import classes from "./letter.module.css";

/** The width of a letter on each device, in pixels. */
const WIDTHS = { desktop: 700, phone: 375 } as const;
const NARROW = 420;
const DEVICES = ["desktop", "phone"] as const;

interface Props {
  html: string;
  title: string;
}

/** The HTML of a letter as on a desktop or a phone, light or dark, in a frame that runs nothing. */
export function LetterScreen({ html, title }: Props) {
  const { t } = useTranslation();
  const [chosen, setDevice] = useState<keyof typeof WIDTHS | null>(null);
  const [dark, setDark] = useState(false);
  const { ref, width } = useElementSize();
  // On a phone a letter is first shown as on a phone.
  const device = chosen ?? (width > 0 && width < NARROW ? "phone" : "desktop");
  // A letter that is wider than its column is shown smaller, and not as on a narrow screen.
  const zoom = width > 0 ? Math.min(1, width / WIDTHS[device]) : 1;
  return (
    <div>
      <Group justify="space-between" mb={6} gap="xs">
        <SegmentedControl
          size="xs"
          aria-label={t("letter.device")}
          value={device}
          onChange={(value) => setDevice(value === "phone" ? "phone" : "desktop")}
          data={DEVICES.map((value) => ({ value, label: t(`letter.devices.${value}`) }))}
        />
        <Switch
          size="xs"
          label={t("letter.dark")}
          checked={dark}
          onChange={(event) => setDark(event.currentTarget.checked)}
        />
      </Group>
      <div ref={ref} className={classes.room}>
        <div className={classes.screen} style={{ width: WIDTHS[device], zoom }}>
          <HtmlFrame html={html} title={title} dark={dark} />
        </div>
      </div>
    </div>
  );
}
