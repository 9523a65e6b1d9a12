import { Anchor, Paper, Table } from "@mantine/core";
import { Link } from "react-router";
import { useTranslation } from "../../frame/i18n";
import { EmptyList } from "../../frame/list/EmptyList";
import type { PagedState } from "../../frame/list/PagedList";
import { useViewer } from "../../frame/session";
import { Time } from "../../frame/ui/Time";
import { Address } from "./Address";
import classes from "./contacts.module.css";
import type { ContactRow } from "./useContacts";

interface Props {
  state: PagedState<ContactRow>;
  filtered: boolean;
  onAdd: () => void;
}

const SHOWN = 2;

/** A phone may be an address of several channels. */
function distinct(addresses: ContactRow["addresses"]): string[] {
  return [...new Set(addresses.map(({ address }) => address))];
}

export function ContactTable({ state, filtered, onAdd }: Props) {
  const { t } = useTranslation();
  const may = useViewer().may("contacts:write");
  const { rows, loading, complete, problem } = state;
  return (
    <Paper>
      <Table verticalSpacing={6} aria-label={t("nav.contacts")} aria-busy={loading} className={classes.table}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t("contacts.name")}</Table.Th>
            <Table.Th>{t("contacts.addresses")}</Table.Th>
            <Table.Th className={classes.wide}>{t("contacts.externalId")}</Table.Th>
            <Table.Th className={classes.wide}>{t("contacts.added")}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map(({ uuid, name, externalId, addresses, createdAt }) => (
            <Table.Tr key={uuid}>
              <Table.Td className={classes.anywhere}>
                <Anchor component={Link} to={`/contacts/${uuid}`} size="sm" fw={500}>
                  {name || externalId || addresses[0]?.address || t("contacts.nameless")}
                </Anchor>
              </Table.Td>
              <Table.Td className={classes.anywhere}>
                {distinct(addresses)
                  .slice(0, SHOWN)
                  .map((address) => (
                    <Address key={address}>{address}</Address>
                  ))}
                {distinct(addresses).length > SHOWN && `+${distinct(addresses).length - SHOWN}`}
              </Table.Td>
              <Table.Td className={`${classes.wide} ${classes.anywhere}`}>{externalId}</Table.Td>
              <Table.Td className={`${classes.wide} ${classes.line}`} c="dimmed">
                <Time value={createdAt} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {rows.length === 0 && !problem && (
        <EmptyList
          loading={!complete}
          text={t(filtered ? "contacts.nothingFound" : "contacts.empty")}
          hint={filtered || !may ? undefined : t("contacts.emptyHint")}
          add={!filtered && may && { label: t("contacts.add"), onClick: onAdd }}
        />
      )}
    </Paper>
  );
}
