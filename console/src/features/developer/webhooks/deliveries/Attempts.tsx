import { Text } from "@mantine/core";
import { useTranslation } from "../../../../frame/i18n";
import { Time } from "../../../../frame/ui/Time";
import { useFormat } from "../../../../frame/values/format";
import type { OneDeliveryQuery } from "../../../../gql/graphql";
import { nextTry } from "../health";
import classes from "./attempts.module.css";

type Delivery = NonNullable<OneDeliveryQuery["webhookDelivery"]>;

interface Props {
  hook: Parameters<typeof nextTry>[0];
  delivery: Delivery;
}

/** What became of a delivery since it was queued: each attempt that failed, and how it ended or when it goes on. */
export function Attempts({ hook, delivery }: Props) {
  const { t } = useTranslation();
  const format = useFormat();
  const { failedAttempts, attempts } = delivery;
  const earlier = attempts - failedAttempts.length - (delivery.state === "delivered" ? 1 : 0);
  const took = (seconds: number | null | undefined) =>
    typeof seconds === "number"
      ? t("hooks.milliseconds", { number: format.number(Math.round(seconds * 1000)) })
      : "";
  const next = nextTry(hook, delivery);
  return (
    <ol className={classes.list} aria-label={t("hooks.attempts")}>
      <li>
        <Time full value={delivery.createdAt} />
        <Text size="sm">{t("hooks.course.queued")}</Text>
      </li>
      {earlier > 0 && (
        <li>
          <span />
          <Text size="sm" c="dimmed">
            {t("hooks.course.earlier", { count: earlier, number: format.number(earlier) })}
          </Text>
        </li>
      )}
      {failedAttempts.map(({ at, status, error, seconds }) => (
        <li key={at} data-state="failed">
          <Time full value={at} />
          <Text size="sm">
            {t("hooks.course.failed", { status: status ?? "–" })} {error}{" "}
            <Text span size="xs" c="dimmed">
              {took(seconds)}
            </Text>
          </Text>
        </li>
      ))}
      {delivery.deliveredAt && (
        <li data-state="delivered">
          <Time full value={delivery.deliveredAt} />
          <Text size="sm">
            {t("hooks.course.delivered", { status: delivery.lastStatus ?? "–" })}{" "}
            <Text span size="xs" c="dimmed">
              {took(delivery.seconds)}
            </Text>
          </Text>
        </li>
      )}
      {delivery.deadAt && (
        <li data-state="failed">
          <Time full value={delivery.deadAt} />
          <Text size="sm">{t("hooks.course.dead")}</Text>
        </li>
      )}
      {next && (
        <li data-state="next">
          <Time full value={next} />
          <Text size="sm">{t("hooks.course.next")}</Text>
        </li>
      )}
    </ol>
  );
}
