import { Anchor } from "@mantine/core";
import type { ReactNode } from "react";
import { Link } from "react-router";
import { useBilling } from "../../billing";
import { useFormat } from "../../values/format";
import table from "./table.module.css";

interface Account {
  uuid: string;
  name: string;
  balance: number;
  currency: string;
}

interface Props<Row extends Account> {
  accounts: readonly Row[];
  /** for screen readers */
  titles: { name: string; state?: string; balance: string };
  state?: (account: Row) => ReactNode;
}

/** Accounts with their balances, if messages cost money; a name leads to its account. */
export function BalanceTable<Row extends Account>({ accounts, titles, ...props }: Props<Row>) {
  const format = useFormat();
  const isFree = useBilling() === "off";
  const state = isFree ? undefined : props.state;
  return (
    <table className={table.table}>
      <thead className="visually-hidden">
        <tr>
          <th>{titles.name}</th>
          {state && <th>{titles.state}</th>}
          {!isFree && <th>{titles.balance}</th>}
        </tr>
      </thead>
      <tbody>
        {accounts.map((account) => (
          <tr key={account.uuid}>
            <td style={{ overflowWrap: "anywhere" }}>
              <Anchor component={Link} to={`/accounts/${account.uuid}`} size="sm">
                {account.name}
              </Anchor>
            </td>
            {state && <td>{state(account)}</td>}
            {!isFree && (
              <td className={table.number} style={{ fontWeight: 600 }}>
                {format.money(account.balance, account.currency)}
              </td>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
