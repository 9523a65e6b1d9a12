import { Badge, Button, Group, Table, Text } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "../../frame/i18n";
import { Reach } from "../../frame/scopes/Reach";
import { Time } from "../../frame/ui/Time";
import type { MemberRowFragment } from "../../gql/graphql";
import { draftOf, stateOf, type State } from "./draft";
import table from "../../frame/list/table.module.css";
import classes from "./members.module.css";

interface Props {
  row: MemberRowFragment;
  /** whether the viewer may change members */
  writes: boolean;
  onChange: () => void;
  onRenew: () => void;
  onRemove: () => void;
}

const COLORS: Record<State, string> = { joined: "teal", invited: "blue", expired: "orange" };

/** A member, or an invitation that is open. */
export function MemberRow({ row, writes, onChange, onRenew, onRemove }: Props) {
  const { t } = useTranslation();
  const [now] = useState(() => Date.now());
  const state = stateOf(row, now);
  const { email } = row;
  return (
    <Table.Tr>
      <Table.Td fw={500} className={table.anywhere}>
        {email}
        <Text component="div" size="xs" c="dimmed" className={classes.narrow}>
          <Role row={row} />
          <Reach above={row.approvalAbove} />
        </Text>
      </Table.Td>
      <Table.Td className={classes.wide}>
        <Role row={row} />
        <Reach above={row.approvalAbove} />
      </Table.Td>
      <Table.Td>
        <Badge
          variant="light"
          color={COLORS[state]}
          radius="sm"
          size="sm"
          tt="none"
          fw={500}
          miw="max-content"
        >
          {t(`members.states.${state}`)}
        </Badge>
        <Text size="xs" c="dimmed">
          {row.joinedAt ? (
            <Time value={row.joinedAt} />
          ) : (
            row.expiresAt && (
              <>
                {t(state === "invited" ? "members.until" : "members.since")}{" "}
                <Time value={row.expiresAt} exact />
              </>
            )
          )}
        </Text>
      </Table.Td>
      <Table.Td className={`${classes.wide} ${table.line}`} c="dimmed">
        <Time value={row.createdAt} />
      </Table.Td>
      {writes && (
        <Table.Td>
          <Group gap={2} justify="flex-end">
            {state !== "joined" && (
              <Button
                variant="subtle"
                size="compact-xs"
                aria-label={t("members.renewOf", { email })}
                onClick={onRenew}
              >
                {t("members.renew")}
              </Button>
            )}
            <Button
              variant="subtle"
              size="compact-xs"
              aria-label={t("members.changeOf", { email })}
              onClick={onChange}
            >
              {t("members.change")}
            </Button>
            <Button
              variant="subtle"
              color="red"
              size="compact-xs"
              aria-label={t(state === "joined" ? "members.removeOf" : "members.withdrawOf", { email })}
              onClick={onRemove}
            >
              {t(state === "joined" ? "members.remove" : "members.withdraw")}
            </Button>
          </Group>
        </Table.Td>
      )}
    </Table.Tr>
  );
}

/** The role with what it may, or how many permissions were chosen: their names are in the tooltip. */
function Role({ row }: { row: MemberRowFragment }) {
  const { t } = useTranslation();
  const { permissions } = draftOf(row);
  if (row.hasOwnPermissions)
    return (
      <span title={permissions.join("\n")}>
        {t("members.somePermissions", { count: permissions.length, number: permissions.length })}
      </span>
    );
  return (
    <>
      {t(`acting.roles.${row.role}`)}
      <Text size="xs" c="dimmed" className={classes.wide}>
        {t(`members.may.${row.role}`)}
      </Text>
    </>
  );
}
