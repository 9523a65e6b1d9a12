import { Anchor, Paper, Text, Title } from "@mantine/core";
import { Link } from "react-router";
import { useBilling } from "../../frame/billing";
import { useTranslation } from "../../frame/i18n";
import table from "../../frame/ui/figures/table.module.css";
import { useFormat } from "../../frame/values/format";
import { useCountryNames } from "../../frame/values/useCountryNames";
import { TABLES, type Facts, type Row, type Table } from "./model";
import classes from "./statements.module.css";

const MOST = 50;
const CHANNELS = ["sms", "email", "push", "telegram", "whatsapp"] as const;

/** The balance at the begin and the end of the month, and what moved it. */
export function BalanceRows({ facts }: { facts: Facts }) {
  const { t } = useTranslation();
  const format = useFormat();
  const isFree = useBilling() === "off";
  const money = (amount: number) => format.exactMoney(amount, facts.currency);
  const balance = (name: string, amount: number): [string, string, string][] =>
    isFree ? [] : [[name, "", money(amount)]];
  const rows: [string, string, string][] = [
    ...balance(t("statements.columns.opening"), facts.opening),
    ...facts.totals
      .filter((total) => total.messages > 0 || total.amount)
      .map((total): [string, string, string] => [
        t(`statements.kinds.${total.kind}`),
        total.messages ? format.number(total.messages) : "",
        total.amount === null ? "–" : money(total.amount),
      ]),
    ...(facts.late ? balance(t("statements.late"), facts.late) : []),
    ...balance(t("statements.columns.closing"), facts.closing),
  ];
  return (
    <table className={`${table.table} ${classes.table}`}>
      <thead>
        <tr>
          <th scope="col">
            <span className="visually-hidden">{t("statements.title")}</span>
          </th>
          <th scope="col" className={table.number}>
            {t("statements.messages")}
          </th>
          {!isFree && (
            <th scope="col" className={table.number}>
              {t("statements.amount")}
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {rows.map(([name, messages, amount]) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td className={table.number}>{messages}</td>
            {!isFree && <td className={table.number}>{amount}</td>}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Charges less refunds by channel, country, route, sender and project. */
export function Tables({ facts }: { facts: Facts }) {
  return (
    <div className={classes.tables}>
      {TABLES.filter((name) => facts.tables[name].length > 0).map((name) => (
        <OneTable key={name} name={name} rows={facts.tables[name]} currency={facts.currency} />
      ))}
    </div>
  );
}

function OneTable({ name, rows, currency }: { name: Table; rows: readonly Row[]; currency: string }) {
  const { t } = useTranslation();
  const format = useFormat();
  const nameOf = useNames(name);
  const isFree = useBilling() === "off";
  const left = rows.length - MOST;
  return (
    <Paper p="sm">
      <Title order={2} mb="xs">
        {t(`statements.tables.${name}`)}
      </Title>
      <table className={`${table.table} ${classes.table}`}>
        <thead>
          <tr>
            <th scope="col">
              <span className="visually-hidden">{t(`statements.tables.${name}`)}</span>
            </th>
            <th scope="col" className={table.number}>
              {t("statements.messages")}
            </th>
            <th scope="col" className={table.number}>
              {t("statements.parts")}
            </th>
            {!isFree && (
              <th scope="col" className={table.number}>
                {t("statements.amount")}
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, MOST).map((row) => (
            <tr key={row.uuid ?? row.value}>
              <th scope="row">
                {row.uuid ? (
                  <Anchor component={Link} to={`/projects/${row.uuid}`} size="sm">
                    {row.value}
                  </Anchor>
                ) : (
                  nameOf(row.value)
                )}
              </th>
              <td className={table.number}>{format.number(row.messages)}</td>
              <td className={table.number}>{format.number(row.parts)}</td>
              {!isFree && <td className={table.number}>{format.exactMoney(row.amount, currency)}</td>}
            </tr>
          ))}
        </tbody>
      </table>
      {left > 0 && (
        <Text size="xs" c="dimmed" mt={4}>
          {t("statements.more", { count: left, number: format.number(left) })}
        </Text>
      )}
    </Paper>
  );
}

/** Returns a function that names the values of a table. */
function useNames(name: Table): (value: string) => string {
  const { t } = useTranslation();
  const countries = useCountryNames();
  return (value) => {
    if (!value) return t(`statements.noValue.${name}`);
    if (name === "country") return countries.nameOf(value);
    const channel = name === "channel" ? CHANNELS.find((each) => each === value) : undefined;
    return channel ? t(`channels.${channel}`) : value;
  };
}
