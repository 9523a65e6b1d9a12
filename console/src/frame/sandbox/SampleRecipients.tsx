import { Button, Group, Text } from "@mantine/core";
import { useTranslation } from "../i18n";
import { sampleList, sampleRecipient } from "./samples";
import { useSandbox } from "./useSandbox";

interface Props {
  channel: string;
}

const OFFERED = ["delivered", "failed", "bounced"] as const;

/** Offers recipients of the sandbox, one for each end of a message; nothing for a real channel. */
export function SampleRecipients({ channel, onChoose }: Props & { onChoose: (to: string) => void }) {
  const { t } = useTranslation();
  if (!useSandbox(channel)) return null;
  return (
    <Group gap={6} role="group" aria-label={t("sandbox.samples")}>
      <Text size="xs" c="dimmed">
        {t("sandbox.samples")}
      </Text>
      {OFFERED.map((effect) => (
        <Button
          key={effect}
          variant="default"
          size="compact-xs"
          onClick={() => onChoose(sampleRecipient(effect, channel))}
        >
          {t(`sandbox.effects.${effect}`)}
        </Button>
      ))}
    </Group>
  );
}

/** Offers a list of ten recipients of the sandbox, for a first campaign; nothing for a real channel. */
export function SampleList({ channel, onChoose }: Props & { onChoose: (lines: string) => void }) {
  const { t } = useTranslation();
  if (!useSandbox(channel)) return null;
  return (
    <Group gap="xs">
      <Button variant="default" onClick={() => onChoose(sampleList(channel).join("\n"))}>
        {t("sandbox.useList")}
      </Button>
      <Text size="xs" c="dimmed" flex={1} miw={200}>
        {t("sandbox.listHint")}
      </Text>
    </Group>
  );
}
