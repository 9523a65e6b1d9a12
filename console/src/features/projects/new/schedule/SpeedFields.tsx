import { Group, NumberInput } from "@mantine/core";
import { useTranslation } from "../../../../frame/i18n";
import type { SendingSpeedInput } from "../../../../gql/graphql";
import { needsSenders, type Draft } from "../draft";

interface Props {
  speed: SendingSpeedInput;
  channel: Draft["channel"];
  onChange: (speed: SendingSpeedInput) => void;
}

const number = (value: string | number) => (typeof value === "number" && value > 0 ? value : null);

/** How many messages leave in a minute. */
export function SpeedFields({ speed, channel, onChange }: Props) {
  const { t } = useTranslation();
  return (
    <Group align="flex-start" gap="sm">
      <NumberInput
        w={220}
        label={t("making.perMinute")}
        placeholder={t("making.noLimit")}
        min={1}
        max={1_000_000}
        allowDecimal={false}
        thousandSeparator=" "
        value={speed.perMinute ?? ""}
        onChange={(value) => onChange({ ...speed, perMinute: number(value) })}
      />
      {needsSenders(channel) && (
        <>
          <NumberInput
            w={220}
            label={t("making.perSender")}
            placeholder={t("making.noLimit")}
            min={1}
            max={100_000}
            allowDecimal={false}
            value={speed.perAccountPerMinute ?? ""}
            onChange={(value) => onChange({ ...speed, perAccountPerMinute: number(value) })}
          />
          <NumberInput
            w={220}
            label={t("making.jitter")}
            description={t("making.jitterHint")}
            placeholder="0"
            min={0}
            max={600}
            allowDecimal={false}
            value={speed.jitterSeconds ?? ""}
            onChange={(value) => onChange({ ...speed, jitterSeconds: number(value) })}
          />
        </>
      )}
    </Group>
  );
}
