import { Badge } from "@mantine/core";
import { useBilling } from "../../billing";
import { useTranslation } from "../../i18n";

export type AccountState = "empty" | "low" | "funded";

/** Whether there is money. Without a limit an account is never low. */
export function stateOf(account: { balance: number; lowBalance?: number | null }): AccountState {
  if (account.balance <= 0) return "empty";
  return account.lowBalance != null && account.balance < account.lowBalance ? "low" : "funded";
}

const COLORS = { empty: "red", low: "yellow", funded: "teal" } as const;

export function AccountBadge({ account }: { account: Parameters<typeof stateOf>[0] }) {
  const { t } = useTranslation();
  if (useBilling() === "off") return null;
  const state = stateOf(account);
  return (
    <Badge variant="light" color={COLORS[state]} radius="sm" size="sm" tt="none" fw={500}>
      {t(`balances.${state}`)}
    </Badge>
  );
}
