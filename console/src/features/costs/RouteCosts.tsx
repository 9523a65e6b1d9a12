import { Anchor, Button, Group, Paper, Table, Text, Title } from "@mantine/core";
import { useState } from "react";
import { Link } from "react-router";
import { useLoaded } from "../../frame/api/useLoaded";
import { useTranslation } from "../../frame/i18n";
import { Notice, useNotice } from "../../frame/ui/page/Notice";
import { ProblemNotice } from "../../frame/ui/page/ProblemNotice";
import { Time } from "../../frame/ui/Time";
import classes from "../../frame/list/table.module.css";
import { CostsOfRoutes } from "./documents";
import { SetCostsDialog } from "./SetCostsDialog";

/** The price lists by which the providers of routes take their money. */
export function RouteCosts() {
  const { t } = useTranslation();
  const { data, problem, reload } = useLoaded(CostsOfRoutes, {});
  const [opened, setOpened] = useState(false);
  const notice = useNotice();
  const lists = data?.priceLists?.nodes ?? [];
  const rows = data?.routeCosts ?? [];
  const routes = (data?.systemRoutes ?? [])
    .filter(({ channel }) => channel === "sms" || channel === "whatsapp")
    .map(({ name }) => name);
  return (
    <Paper p="sm">
      <Notice message={notice.message} onDismiss={notice.dismiss} />
      <Group justify="space-between" mt={notice.message ? "xs" : 0} mb="xs">
        <Title order={2}>{t("costs.ofRoutes")}</Title>
        <Button variant="default" onClick={() => setOpened(true)} disabled={!data}>
          {t("costs.set")}
        </Button>
      </Group>
      {problem && <ProblemNotice problem={problem} onRetry={reload} />}
      {data && rows.length === 0 && (
        <Text size="sm" c="dimmed">
          {t("costs.noCosts")}{" "}
          {lists.length === 0 && (
            <Anchor component={Link} to="/tariffs/lists" underline="always" inherit>
              {t("costs.addList")}
            </Anchor>
          )}
        </Text>
      )}
      {rows.length > 0 && (
        <Table verticalSpacing={6} aria-label={t("costs.ofRoutes")} className={classes.table}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t("costs.groups.route")}</Table.Th>
              <Table.Th>{t("costs.list")}</Table.Th>
              <Table.Th>{t("costs.since")}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map(({ route, listId, validFrom }) => (
              <Table.Tr key={`${route} ${validFrom}`}>
                <Table.Td className={classes.anywhere}>{route}</Table.Td>
                <Table.Td className={classes.anywhere}>
                  {listId ? (
                    <Anchor component={Link} to={`/tariffs/lists/${listId}`} size="sm">
                      {lists.find(({ uuid }) => uuid === listId)?.name ?? listId}
                    </Anchor>
                  ) : (
                    t("costs.ended")
                  )}
                </Table.Td>
                <Table.Td>
                  <Time value={validFrom} />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
      {opened && (
        <SetCostsDialog
          routes={[...new Set([...routes, ...rows.map(({ route }) => route)])]}
          lists={lists}
          onClose={() => setOpened(false)}
          onDone={() => {
            setOpened(false);
            notice.show(t("costs.wasSet"));
            reload();
          }}
        />
      )}
    </Paper>
  );
}
