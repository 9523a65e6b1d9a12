import "@mantine/core/styles/Switch.css";
import { Paper, Switch, Table, Text, Title } from "@mantine/core";
import { useState } from "react";
import { useClient } from "urql";
import { problemOf, type Problem } from "../../frame/api/errors";
import { useTranslation } from "../../frame/i18n";
import { Question } from "../../frame/ui/dialogs/Question";
import { ProblemNotice } from "../../frame/ui/page/ProblemNotice";
import { RouteStateBadge } from "../../frame/ui/RouteStateBadge";
import { Time } from "../../frame/ui/Time";
import type { ConfiguredRoutesQuery } from "../../gql/graphql";
import { SwitchRoute } from "./documents";
import classes from "./routes.module.css";

export type Route = NonNullable<ConfiguredRoutesQuery["systemRoutes"]>[number];

interface Props {
  routes: readonly Route[];
  /** receives the notice to show afterwards */
  onSwitched: (notice: string) => void;
}

/** The configured routes of all channels, each with a switch. */
export function RouteTable({ routes, onSwitched }: Props) {
  const { t, textOr } = useTranslation();
  const client = useClient();
  const [asked, setAsked] = useState<Route | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);

  async function switchOn({ name }: Route) {
    setProblem(null);
    const { error } = await client.mutation(SwitchRoute, { name, enabled: true }).toPromise();
    if (error) setProblem(problemOf(error));
    else onSwitched(t("routes.nowOn", { name }));
  }

  return (
    <Paper p="sm">
      <Title order={2} mb="xs">
        {t("routes.routes")}
      </Title>
      {problem && <ProblemNotice problem={problem} />}
      <Table verticalSpacing={6} aria-label={t("routes.routes")} className={classes.table}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t("routes.route")}</Table.Th>
            <Table.Th>{t("routes.state")}</Table.Th>
            <Table.Th>{t("routes.switch")}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {routes.map((route) => {
            const { name, channel, driver, label, state, since, probeAt, enabled } = route;
            return (
              <Table.Tr key={name}>
                <Table.Td className={classes.anywhere}>
                  <Text size="sm" fw={500}>
                    {name}
                  </Text>
                  <Text size="xs" c="dimmed">
                    {t(`channels.${channel}`)} · {textOr(`system.drivers.${driver}`, label)}
                  </Text>
                </Table.Td>
                <Table.Td>
                  <RouteStateBadge state={state} />
                  {since && (
                    <Text size="xs" c="dimmed">
                      {t("system.since")} <Time value={since} />
                      {probeAt && (
                        <>
                          {" · "}
                          {t("system.probe")} <Time value={probeAt} />
                        </>
                      )}
                    </Text>
                  )}
                </Table.Td>
                <Table.Td>
                  <Switch
                    checked={enabled}
                    onChange={() => (enabled ? setAsked(route) : void switchOn(route))}
                    label={t(enabled ? "routes.on" : "routes.off")}
                    aria-label={t("routes.switchOf", { name })}
                  />
                </Table.Td>
              </Table.Tr>
            );
          })}
        </Table.Tbody>
      </Table>
      {asked && (
        <Question
          title={t("routes.offTitle", { name: asked.name })}
          question={t("routes.offText")}
          action={t("routes.switchOff")}
          mutation={SwitchRoute}
          variables={{ name: asked.name, enabled: false }}
          onDone={() => {
            setAsked(null);
            onSwitched(t("routes.nowOff", { name: asked.name }));
          }}
          onClose={() => setAsked(null)}
        />
      )}
    </Paper>
  );
}
