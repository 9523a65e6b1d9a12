import { Alert, Anchor, Breadcrumbs, Button, Loader, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { Link, useParams } from "react-router";
import { useLoaded } from "../../frame/api/useLoaded";
import { useTranslation } from "../../frame/i18n";
import { useViewer } from "../../frame/session";
import { AdminOnly } from "../../frame/ui/page/AdminOnly";
import { Notice, useNotice } from "../../frame/ui/page/Notice";
import { NotFound } from "../../frame/ui/page/NotFound";
import { ProblemNotice } from "../../frame/ui/page/ProblemNotice";
import { useVisibleInterval } from "../../frame/ui/useInterval";
import { usePageTitle } from "../../frame/ui/page/usePageTitle";
import { PageHead } from "../../frame/ui/page/PageHead";
import { OneUser } from "./documents";
import type { OneUserData } from "./model";
import { AccountsCard, SendsCard, TariffCard } from "./UserCards";
import { PersonCard } from "./PersonCard";
import { StatusDialog, type Move } from "./StatusDialog";
import { UserBadge } from "./UserBadge";
import classes from "./users.module.css";

const POLL_MS = 30_000;

export default function UserPage() {
  const { uuid = "" } = useParams();
  return (
    <AdminOnly>
      <OnePage key={uuid} uuid={uuid} />
    </AdminOnly>
  );
}

function OnePage({ uuid }: { uuid: string }) {
  const { t } = useTranslation();
  const { data, problem, loading, reload } = useLoaded(OneUser, { id: uuid });
  useVisibleInterval(reload, POLL_MS);
  usePageTitle(data?.user?.email ?? t("users.user"));
  if (data?.user) return <Shown user={data.user} reload={reload} />;
  if (loading) return <Loader size="sm" aria-label={t("common.loading")} />;
  if (!problem || problem.code === "user_not_found" || problem.code === "bad_id") {
    return <NotFound text={t("users.notFound")} />;
  }
  return <ProblemNotice problem={problem} onRetry={reload} />;
}

const MOVES: Record<OneUserData["status"], Move[]> = {
  active: ["suspend", "delete"],
  suspended: ["activate", "delete"],
  invited: ["invite", "delete"],
  deleted: [],
};

function Shown({ user, reload }: { user: OneUserData; reload: () => void }) {
  const { t } = useTranslation();
  const viewer = useViewer();
  const [confirming, setConfirming] = useState<Move | null>(null);
  const notice = useNotice();
  const self = viewer.uuid === user.uuid;
  const done = (message: string | null) => {
    if (message) notice.show(message);
    reload();
  };
  return (
    <Stack gap="sm">
      <Breadcrumbs>
        <Anchor component={Link} to="/users" size="sm">
          {t("nav.users")}
        </Anchor>
        <Text size="sm" c="dimmed">
          {t(user.roles.includes("admin") ? "users.roles.admin" : "users.roles.user")}
        </Text>
      </Breadcrumbs>
      <PageHead title={user.email} note={<UserBadge status={user.status} />}>
        {!self &&
          MOVES[user.status].map((move) => (
            <Button
              key={move}
              variant={move === "activate" || move === "invite" ? "filled" : "default"}
              onClick={() => setConfirming(move)}
            >
              {t(`users.moves.${move}.button`)}
            </Button>
          ))}
      </PageHead>
      <Notice message={notice.message} onDismiss={notice.dismiss} />
      {user.status !== "active" && !notice.message && (
        <Alert color={user.status === "suspended" ? "orange" : "blue"}>
          {t(`users.next.${user.status as "invited"}`)}
        </Alert>
      )}
      {self && <Alert color="blue">{t("users.self")}</Alert>}
      <div className={classes.columns}>
        <Stack gap="sm">
          <PersonCard key={user.uuid} user={user} self={self} onDone={done} />
          <AccountsCard user={user} />
        </Stack>
        <Stack gap="sm">
          <TariffCard key={user.tariff?.code} user={user} onDone={done} />
          <SendsCard user={user} />
        </Stack>
      </div>
      {confirming && (
        <StatusDialog
          user={user}
          move={confirming}
          onClose={() => {
            setConfirming(null);
            reload();
          }}
          onDone={(message) => {
            setConfirming(null);
            done(message);
          }}
        />
      )}
    </Stack>
  );
}
