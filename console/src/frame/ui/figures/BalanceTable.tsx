import { Anchor, Table } from "@mantine/core";
import type { ReactNode } from "react";
import { Link } from "react-router";
import { useFormat } from "../../values/format";

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

/** Accounts with their balances; a name leads to its account. */
export function BalanceTable<Row extends Account>({ accounts, titles, state }: Props<Row>) {
  const format = useFormat();
  return (
    <Table verticalSpacing={4} horizontalSpacing={0}>
      <Table.Thead className="visually-hidden">
        <Table.Tr>
          <Table.Th>{titles.name}</Table.Th>
          {state && <Table.Th>{titles.state}</Table.Th>}
          <Table.Th>{titles.balance}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {accounts.map((account) => (
          <Table.Tr key={account.uuid}>
            <Table.Td style={{ overflowWrap: "anywhere" }}>
              <Anchor component={Link} to={`/accounts/${account.uuid}`} size="sm">
                {account.name}
              </Anchor>
            </Table.Td>
            {state && <Table.Td>{state(account)}</Table.Td>}
            <Table.Td ta="right" fw={600}>
              {format.money(account.balance, account.currency)}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
