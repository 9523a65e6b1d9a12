import { Anchor, Badge, Button, Group, Table, Text } from "@mantine/core";
import { useState } from "react";
import { useFormat } from "../../frame/values/format";
import { useTranslation } from "../../frame/i18n";
import { Time } from "../../frame/ui/Time";
import type { Group as AddressGroup, Line } from "./lines";
import classes from "./system.module.css";

const STEP = 100; // rows
const PATHS = 3;

/** Who would be locked out: one row for each address. */
export function AddressTable({
  groups,
  onChoose,
}: {
  groups: readonly AddressGroup[];
  onChoose: (address: string) => void;
}) {
  const { t } = useTranslation();
  const format = useFormat();
  const [most, setMost] = useState(STEP);
  return (
    <>
      <Table verticalSpacing={6} aria-label={t("allowlist.views.addresses")} className={classes.table}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t("allowlist.address")}</Table.Th>
            <Table.Th ta="right">{t("allowlist.count")}</Table.Th>
            <Table.Th className={classes.wide}>{t("allowlist.last")}</Table.Th>
            <Table.Th className={classes.wide}>{t("allowlist.requested")}</Table.Th>
            <Table.Th>{t("allowlist.why")}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {groups.slice(0, most).map((group) => (
            <Table.Tr key={group.address}>
              <Table.Td fw={500} className={classes.long}>
                {group.address === "-" ? (
                  t("allowlist.noAddress")
                ) : (
                  <Anchor
                    component="button"
                    type="button"
                    c="inherit"
                    size="sm"
                    ta="start"
                    className={classes.long}
                    onClick={() => onChoose(group.address)}
                  >
                    {group.address}
                  </Anchor>
                )}
              </Table.Td>
              <Table.Td ta="right">{format.number(group.count)}</Table.Td>
              <Table.Td className={classes.wide} c="dimmed">
                <Time value={group.lastAt} />
              </Table.Td>
              <Table.Td className={classes.wide}>
                {group.paths.slice(0, PATHS).map((path) => (
                  <Text key={path} size="xs" className={classes.long}>
                    {path}
                  </Text>
                ))}
                {group.paths.length > PATHS && (
                  <Text size="xs" c="dimmed">
                    {t("allowlist.morePaths", { count: group.paths.length - PATHS })}
                  </Text>
                )}
              </Table.Td>
              <Table.Td>
                <Why listed={group.listed} reason={group.reason} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      <More left={groups.length - most} onMore={() => setMost(most + STEP)} />
    </>
  );
}

/** The requests themselves, the newest first. */
export function LineTable({ lines }: { lines: readonly Line[] }) {
  const { t } = useTranslation();
  const [most, setMost] = useState(STEP);
  return (
    <>
      <Table verticalSpacing={4} aria-label={t("allowlist.views.lines")} className={classes.table}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t("allowlist.time")}</Table.Th>
            <Table.Th>{t("allowlist.address")}</Table.Th>
            <Table.Th className={classes.wide}>{t("allowlist.request")}</Table.Th>
            <Table.Th>{t("allowlist.why")}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {lines.slice(0, most).map((line, index) => (
            <Table.Tr key={`${line.at}-${index}`}>
              <Table.Td c="dimmed">
                <Time value={line.at} />
              </Table.Td>
              <Table.Td className={classes.long}>
                {line.address === "-" ? t("allowlist.noAddress") : line.address}
                <Text size="xs" c="dimmed" className={classes.narrow}>
                  {line.method} {line.path}
                </Text>
              </Table.Td>
              <Table.Td className={`${classes.wide} ${classes.long}`}>
                {line.method} {line.path}
              </Table.Td>
              <Table.Td>
                <Why listed={line.listed} reason={line.reason} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      <More left={lines.length - most} onMore={() => setMost(most + STEP)} />
    </>
  );
}

function Why({ listed, reason }: Pick<Line, "listed" | "reason">) {
  const { t } = useTranslation();
  if (!listed) return t(`allowlist.reasons.${reason}`);
  return (
    <Badge color="teal" variant="light" tt="none" radius="sm" fw={500}>
      {t("allowlist.listedNow")}
    </Badge>
  );
}

function More({ left, onMore }: { left: number; onMore: () => void }) {
  const { t } = useTranslation();
  if (left <= 0) return null;
  return (
    <Group justify="center" mt="xs">
      <Button variant="default" onClick={onMore}>
        {t("allowlist.more", { count: left })}
      </Button>
    </Group>
  );
}
