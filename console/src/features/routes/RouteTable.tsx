import "@mantine/core/styles/Switch.css";
import { Badge, Button, Group, Paper, Switch, Table, Text, Title } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useState } from "react";
import { useClient } from "urql";
import { problemOf, type Problem } from "../../frame/api/errors";
import { useTranslation } from "../../frame/i18n";
import { Question } from "../../frame/ui/dialogs/Question";
import { RemoveButton } from "../../frame/ui/dialogs/RemoveButton";
import { ProblemNotice } from "../../frame/ui/page/ProblemNotice";
import { RouteStateBadge } from "../../frame/ui/RouteStateBadge";
import { Time } from "../../frame/ui/Time";
import type { ConfiguredRoutesQuery } from "../../gql/graphql";
import { DeleteRoute, IgnoreReceipts, SwitchRoute } from "./documents";
import { NewRouteDialog } from "./NewRouteDialog";
import classes from "../../frame/list/table.module.css";

export type Route = NonNullable<ConfiguredRoutesQuery["systemRoutes"]>[number];

interface Props {
  routes: readonly Route[];
  /** receives the notice to show afterwards */
  onChanged: (notice: string) => void;
}

/** The routes of all channels, each with a switch. Those that administrators have made can be deleted. */
export function RouteTable({ routes, onChanged }: Props) {
  const { t, textOr } = useTranslation();
  const client = useClient();
  const [opened, setOpened] = useState<{ what: "off" | "remove"; name: string } | null>(null);
  const [adding, setAdding] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);

  async function switchOn({ name }: Route) {
    setProblem(null);
    const { error } = await client.mutation(SwitchRoute, { name, enabled: true }).toPromise();
    if (error) setProblem(problemOf(error));
    else onChanged(t("routes.nowOn", { name }));
  }

  async function switchReceipts({ name, ignoresReceipts }: Route) {
    setProblem(null);
    const change = { name, ignoresReceipts: !ignoresReceipts };
    const { error } = await client.mutation(IgnoreReceipts, change).toPromise();
    if (error) setProblem(problemOf(error));
    else onChanged(t(ignoresReceipts ? "routes.nowByReceipts" : "routes.nowNotByReceipts", { name }));
  }

  const close = () => {
    setOpened(null);
    setAdding(false);
  };
  const done = (notice: string) => {
    close();
    onChanged(notice);
  };

  return (
    <Paper p="sm">
      <Group justify="space-between" gap="xs" mb="xs">
        <Title order={2}>{t("routes.routes")}</Title>
        <Button variant="default" leftSection={<IconPlus size={14} />} onClick={() => setAdding(true)}>
          {t("routes.made.add")}
        </Button>
      </Group>
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
            const { name, channel, driver, label, state, since, probeAt, enabled, made, ignoresReceipts } =
              route;
            return (
              <Table.Tr key={name}>
                <Table.Td className={classes.anywhere}>
                  <Group gap={6}>
                    <Text size="sm" fw={500}>
                      {name}
                    </Text>
                    {made && (
                      <Badge
                        variant="light"
                        color="gray"
                        tt="none"
                        radius="sm"
                        size="sm"
                        fw={500}
                        miw="max-content"
                      >
                        {t("routes.made.badge")}
                      </Badge>
                    )}
                  </Group>
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
                  <Group gap={4} wrap="nowrap" justify="space-between">
                    <Switch
                      checked={enabled}
                      onChange={() => (enabled ? setOpened({ what: "off", name }) : void switchOn(route))}
                      label={t(enabled ? "routes.on" : "routes.off")}
                      aria-label={t("routes.switchOf", { name })}
                    />
                    {made && (
                      <RemoveButton
                        label={t("routes.made.removeOf", { name })}
                        onClick={() => setOpened({ what: "remove", name })}
                      />
                    )}
                  </Group>
                  {channel === "sms" && (
                    <Switch
                      mt={4}
                      size="xs"
                      checked={!ignoresReceipts}
                      onChange={() => void switchReceipts(route)}
                      label={t("routes.byReceipts")}
                      aria-label={t("routes.byReceiptsOf", { name })}
                    />
                  )}
                </Table.Td>
              </Table.Tr>
            );
          })}
        </Table.Tbody>
      </Table>
      {adding && <NewRouteDialog onClose={close} onDone={(name) => done(t("routes.made.added", { name }))} />}
      {opened?.what === "off" && (
        <Question
          title={t("routes.offTitle", { name: opened.name })}
          question={t("routes.offText")}
          action={t("routes.switchOff")}
          mutation={SwitchRoute}
          variables={{ name: opened.name, enabled: false }}
          onDone={() => done(t("routes.nowOff", { name: opened.name }))}
          onClose={close}
        />
      )}
      {opened?.what === "remove" && (
        <Question
          title={t("routes.made.removeTitle", { name: opened.name })}
          question={t("routes.made.removeText")}
          action={t("routes.remove")}
          mutation={DeleteRoute}
          variables={{ name: opened.name }}
          onDone={() => done(t("routes.made.removed", { name: opened.name }))}
          onClose={close}
        />
      )}
    </Paper>
  );
}
