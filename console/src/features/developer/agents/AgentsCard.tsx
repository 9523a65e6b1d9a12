import { Button, Group, Paper, Stack, Text, Title } from "@mantine/core";
import { useState } from "react";
import { useLoaded } from "../../../frame/api/useLoaded";
import { useTranslation } from "../../../frame/i18n";
import { Reach } from "../../../frame/scopes/Reach";
import { Time } from "../../../frame/ui/Time";
import { RevokeDialog } from "../tokens/RevokeDialog";
import { ConnectedAgentList } from "./documents";

/** The agents that may act for a person, with their last use. Without one there is nothing to see. */
export function AgentsCard({ onChanged }: { onChanged: () => void }) {
  const { t } = useTranslation();
  const { data, reload } = useLoaded(ConnectedAgentList, {});
  const [ending, setEnding] = useState<{ uuid: string; name: string } | null>(null);
  const agents = data?.connectedAgents?.items ?? [];
  if (agents.length === 0) return null;
  return (
    <Paper p="sm" component="section" aria-label={t("agents.connected")}>
      <Title order={2} mb="xs">
        {t("agents.connected")}
      </Title>
      <Stack gap="xs">
        {agents.map((agent) => (
          <Group key={agent.tokenUuid} justify="space-between" wrap="nowrap" align="flex-start">
            <Stack gap={0} style={{ overflowWrap: "anywhere" }}>
              <Text size="sm" fw={500}>
                {agent.clientName}
              </Text>
              <Text size="xs" c="dimmed">
                {agent.clientHost ?? agent.redirectHost} ·{" "}
                <span title={agent.scopes.join("\n")}>
                  {t("tokens.someScopes", { count: agent.scopes.length, number: agent.scopes.length })}
                </span>{" "}
                · {agent.lastUsedAt ? <Time value={agent.lastUsedAt} /> : t("agents.neverUsed")}
              </Text>
              <Reach above={agent.approvalAbove} />
            </Stack>
            <Button
              variant="default"
              size="compact-xs"
              style={{ flex: "none" }}
              aria-label={t("agents.endOf", { name: agent.clientName })}
              onClick={() => setEnding({ uuid: agent.tokenUuid, name: agent.clientName })}
            >
              {t("agents.end")}
            </Button>
          </Group>
        ))}
      </Stack>
      {ending && (
        <RevokeDialog
          token={ending}
          onRevoked={() => {
            setEnding(null);
            reload();
            onChanged();
          }}
          onClose={() => setEnding(null)}
        />
      )}
    </Paper>
  );
}
