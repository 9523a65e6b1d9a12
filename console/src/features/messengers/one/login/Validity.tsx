import { Progress, Text } from "@mantine/core";
import { useFormat } from "../../../../frame/values/format";
import { useTranslation } from "../../../../frame/i18n";
import { secondsLeft } from "../../states";
import type { LoginCode } from "../useAccount";
import { useSecondsLeft } from "./useSecondsLeft";

/** How long the shown code is valid. A screen reader does not announce each second. */
export function Validity({ code }: { code: LoginCode | null }) {
  const { t } = useTranslation();
  const format = useFormat();
  const left = useSecondsLeft(code);
  if (!code) return null;
  if (left === null) return <Text size="xs">{t("messengers.renews")}</Text>;
  const whole = secondsLeft(code, code.at, 0, 0) || 1;
  return (
    <div>
      <Progress value={(100 * left) / whole} size="sm" aria-label={t("messengers.validity")} />
      <Text size="xs" c="dimmed" mt={4}>
        {left > 0 ? t("messengers.validFor", { duration: format.duration(left) }) : t("messengers.nextCode")}
      </Text>
    </div>
  );
}
