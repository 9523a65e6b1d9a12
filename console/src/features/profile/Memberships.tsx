import { Button, Group, Paper, Stack, Text, Title } from "@mantine/core";
import { Suspense, useState } from "react";
import { useClient } from "urql";
import { asOneself } from "../../frame/api/client";
import { lazyFile } from "../../frame/api/consoleFiles";
import { problemOf, type Problem } from "../../frame/api/errors";
import { actFor } from "../../frame/api/owner";
import { useTranslation } from "../../frame/i18n";
import { nameOf, type Membership } from "../../frame/rights";
import { useSession, useViewer } from "../../frame/session";
import { Notice, useNotice } from "../../frame/ui/page/Notice";
import { graphql } from "../../gql";

const Confirm = lazyFile(() =>
  import("../../frame/ui/dialogs/Confirm").then(({ Confirm }) => ({ default: Confirm })),
);

const LeaveOwner = graphql(`
  mutation LeaveOwner($id: ID!) {
    leaveOwner(id: $id)
  }
`);

/** The owners for whom the person acts. Shown only where there are any, or was one a moment ago. */
export function Memberships() {
  const { t } = useTranslation();
  const client = useClient();
  const { check } = useSession();
  const viewer = useViewer();
  const [leaving, setLeaving] = useState<Membership | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const notice = useNotice();
  if (viewer.memberships.length === 0 && !notice.message) return null;

  async function leave() {
    if (!leaving) return;
    const { error } = await client.mutation(LeaveOwner, { id: leaving.uuid }, asOneself()).toPromise();
    if (error) {
      setProblem(problemOf(error));
      return;
    }
    if (leaving.uuid === viewer.membership?.uuid) {
      actFor(null); // the page is read anew
      return;
    }
    notice.show(t("profile.left", { name: nameOf(leaving) }));
    setLeaving(null);
    await check();
  }

  return (
    <Paper p="sm">
      <Stack gap="sm">
        <div>
          <Title order={2}>{t("profile.memberships")}</Title>
          <Text size="xs" c="dimmed">
            {t("profile.membershipsText")}
          </Text>
        </div>
        <Notice message={notice.message} onDismiss={notice.dismiss} />
        {viewer.memberships.map((membership) => {
          const name = nameOf(membership);
          const { uuid, email } = viewer;
          return (
            <Group key={membership.uuid} justify="space-between" gap="xs" data-membership>
              <div style={{ minWidth: 0, overflowWrap: "anywhere" }}>
                <Text size="sm">{name}</Text>
                <Text size="xs" c="dimmed">
                  {[
                    name !== membership.ownerEmail && membership.ownerEmail,
                    t(`acting.roles.${membership.role}`),
                  ]
                    .filter(Boolean)
                    .join(" · ")}
                </Text>
              </div>
              <Group gap={6}>
                {membership.uuid !== viewer.membership?.uuid && (
                  <Button
                    variant="default"
                    aria-label={t("profile.actFor", { name })}
                    onClick={() => actFor({ owner: membership.ownerUuid, name, person: uuid, email })}
                  >
                    {t("profile.act")}
                  </Button>
                )}
                <Button
                  variant="default"
                  aria-label={t("profile.leaveOf", { name })}
                  onClick={() => {
                    setProblem(null);
                    setLeaving(membership);
                  }}
                >
                  {t("profile.leave")}
                </Button>
              </Group>
            </Group>
          );
        })}
      </Stack>
      {leaving && (
        <Suspense>
          <Confirm
            opened
            title={t("profile.leaveTitle", { name: nameOf(leaving) })}
            question={t("profile.leaveText")}
            action={t("profile.leave")}
            problem={problem}
            onConfirm={leave}
            onClose={() => setLeaving(null)}
          />
        </Suspense>
      )}
    </Paper>
  );
}
