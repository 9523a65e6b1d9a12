import { Badge, Group, Loader, Paper, Stack, Text, Title } from "@mantine/core";
import { useState } from "react";
import { useLoaded } from "../../../frame/api/useLoaded";
import { useTranslation } from "../../../frame/i18n";
import { Question } from "../../../frame/ui/dialogs/Question";
import { RemoveButton } from "../../../frame/ui/dialogs/RemoveButton";
import { AdminOnly } from "../../../frame/ui/page/AdminOnly";
import { Notice, useNotice } from "../../../frame/ui/page/Notice";
import { ProblemNotice } from "../../../frame/ui/page/ProblemNotice";
import type { ProvidersQuery } from "../../../gql/graphql";
import { SystemFrame } from "../SystemFrame";
import { CHANNELS, type ProviderChannel } from "./channels";
import { Providers, RemoveProvider } from "./documents";
import { ProviderForm } from "./ProviderForm";

type Route = NonNullable<ProvidersQuery["systemRoutes"]>[number];

export default function ProvidersPage() {
  return (
    <AdminOnly>
      <AllProviders />
    </AdminOnly>
  );
}

/** The providers of each channel, and a form that sets up another one. */
function AllProviders() {
  const { t } = useTranslation();
  const { data, problem, loading, reload } = useLoaded(Providers, {});
  const [leaving, setLeaving] = useState<string | null>(null);
  const notice = useNotice();
  return (
    <SystemFrame>
      {problem && <ProblemNotice problem={problem} onRetry={reload} />}
      {!data && loading && <Loader size="sm" aria-label={t("common.loading")} />}
      <Notice message={notice.message} onDismiss={notice.dismiss} />
      {data?.systemRoutes && (
        <Paper p="md">
          <Title order={2} mb="xs">
            {t("system.providers.inUse")}
          </Title>
          <Stack gap="sm">
            {CHANNELS.map((channel) => (
              <InUse
                key={channel}
                channel={channel}
                routes={(data.systemRoutes ?? []).filter((route) => route.channel === channel)}
                onRemove={setLeaving}
              />
            ))}
          </Stack>
        </Paper>
      )}
      {data?.providers && (
        <ProviderForm
          providers={data.providers}
          onDone={(name, channel) => {
            notice.show(t("system.providers.done", { name, channel: t(`channels.${channel}`) }));
            reload();
          }}
        />
      )}
      {leaving !== null && (
        <Question
          title={t("system.providers.remove", { name: leaving })}
          question={t("system.providers.removeQuestion")}
          action={t("system.providers.delete")}
          mutation={RemoveProvider}
          variables={{ name: leaving }}
          onDone={() => {
            notice.show(t("system.providers.removed", { name: leaving }));
            setLeaving(null);
            reload();
          }}
          onClose={() => setLeaving(null)}
        />
      )}
    </SystemFrame>
  );
}

interface InUseProps {
  channel: ProviderChannel;
  routes: readonly Route[];
  onRemove: (name: string) => void;
}

function InUse({ channel, routes, onRemove }: InUseProps) {
  const { t } = useTranslation();
  const real = routes.filter((route) => route.driver !== "sandbox");
  return (
    <div>
      <Text size="sm" fw={600}>
        {t(`channels.${channel}`)}
      </Text>
      {real.length === 0 && (
        <Text size="sm" c="dimmed">
          {t("system.providers.sandbox")}
        </Text>
      )}
      {real.map((route) => (
        <Group key={route.name} gap="xs" justify="space-between" mih={28}>
          <Text size="sm">
            {route.name} · {route.label}
          </Text>
          {route.made ? (
            <RemoveButton
              label={t("system.providers.remove", { name: route.name })}
              onClick={() => onRemove(route.name)}
            />
          ) : (
            <Badge variant="light" color="gray">
              {t("system.providers.bySetting")}
            </Badge>
          )}
        </Group>
      ))}
    </div>
  );
}
