import type { ReactNode } from "react";
import { useFormat } from "../../frame/values/format";
import { useTranslation } from "../../frame/i18n";
import table from "../../frame/ui/figures/table.module.css";
import classes from "./overview.module.css";

export const KINDS = ["sent", "delivered", "failed", "unknown"] as const;
type Kind = (typeof KINDS)[number];

interface Props {
  /** what the rows are */
  head: string;
  rows: readonly { key: string; label: ReactNode; counts: Record<Kind, number> }[];
}

/** Numbers of messages by their state. */
export function StateTable({ head, rows }: Props) {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <table className={`${table.table} ${classes.states}`}>
      <thead>
        <tr>
          <th scope="col">{head}</th>
          {KINDS.map((kind) => (
            <th key={kind} scope="col" className={table.number}>
              {t(`states.${kind}`)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ key, label, counts }) => (
          <tr key={key}>
            <th scope="row">{label}</th>
            {KINDS.map((kind) => (
              <td key={kind} className={table.number}>
                {format.number(counts[kind])}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
