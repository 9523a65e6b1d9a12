import "@mantine/core/styles/Checkbox.css";
import { Button, Paper, Stack, Table } from "@mantine/core";
import { IconUserPlus } from "@tabler/icons-react";
import { useState } from "react";
import { useSearchParams } from "react-router";
import { useClient } from "urql";
import { problemOf, type Problem } from "../../frame/api/errors";
import { useLoaded } from "../../frame/api/useLoaded";
import { useTranslation } from "../../frame/i18n";
import { EmptyList } from "../../frame/list/EmptyList";
import { Permissions } from "../../frame/scopes/documents";
import { useChangeParams } from "../../frame/search/useChangeParams";
import { useViewer } from "../../frame/session";
import { Empty } from "../../frame/ui/page/Empty";
import { Notice, useNotice } from "../../frame/ui/page/Notice";
import { PageHead } from "../../frame/ui/page/PageHead";
import { ProblemNotice } from "../../frame/ui/page/ProblemNotice";
import { usePageTitle } from "../../frame/ui/page/usePageTitle";
import type { MemberRowFragment } from "../../gql/graphql";
import { RuleCard } from "./approvals/RuleCard";
import { ChangeDialog } from "./ChangeDialog";
import { InviteMember, Members } from "./documents";
import { draftOf, newMemberOf } from "./draft";
import { InviteDialog, type Invitation } from "./InviteDialog";
import { LinkDialog } from "./LinkDialog";
import { MemberRow } from "./MemberRow";
import table from "../../frame/list/table.module.css";
import classes from "./members.module.css";
import { RemoveDialog } from "./RemoveDialog";

/** The people who may act for the owner, and those who are invited to. */
export default function MembersPage() {
  const { t } = useTranslation();
  const { isAdmin } = useViewer();
  usePageTitle(t("nav.members"));
  return (
    <Stack gap={8}>
      {isAdmin ? (
        <>
          <PageHead title={t("nav.members")} />
          <Empty text={t("members.notForAdmins")} hint={t("members.notForAdminsHint")} />
        </>
      ) : (
        <List />
      )}
      <RuleCard />
    </Stack>
  );
}

function List() {
  const { t } = useTranslation();
  const { may } = useViewer();
  const client = useClient();
  const [params] = useSearchParams();
  const change = useChangeParams();
  const { data, problem, loading, reload } = useLoaded(Members, {});
  const { data: rights } = useLoaded(Permissions, {});
  const [invitation, setInvitation] = useState<Invitation | null>(null);
  const [removing, setRemoving] = useState<MemberRowFragment | null>(null);
  const [failed, setFailed] = useState<Problem | null>(null);
  const notice = useNotice();
  const permissions = rights?.permissions ?? null;
  const rows = data?.members?.nodes ?? [];
  const edited = rows.find(({ uuid }) => uuid === params.get("edit"));
  const writes = may("members:write");
  const open = (name: "invite" | "edit", value: string | null) => change({ [name]: value }, true);

  /** Makes another link: the one before is invalid then. */
  async function renew(row: MemberRowFragment) {
    setFailed(null);
    const input = newMemberOf(row.email, draftOf(row));
    const { data: made, error } = await client.mutation(InviteMember, { input }).toPromise();
    if (made?.inviteMember) setInvitation(made.inviteMember);
    else if (error) setFailed(problemOf(error));
    reload();
  }

  const invite = writes && (
    <Button leftSection={<IconUserPlus size={14} />} onClick={() => open("invite", "1")}>
      {t("members.invite")}
    </Button>
  );
  return (
    <>
      <PageHead title={t("nav.members")} about={t("members.about")}>
        {rows.length > 0 && invite}
      </PageHead>
      <Notice message={notice.message} onDismiss={notice.dismiss} />
      {failed && <ProblemNotice problem={failed} />}
      {problem && <ProblemNotice problem={problem} onRetry={reload} />}
      {(rows.length > 0 || !problem) && (
        <Paper>
          <Table
            verticalSpacing={6}
            aria-label={t("nav.members")}
            aria-busy={loading}
            className={table.table}
          >
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t("members.person")}</Table.Th>
                <Table.Th className={classes.wide}>{t("members.role")}</Table.Th>
                <Table.Th>{t("members.state")}</Table.Th>
                <Table.Th className={classes.wide}>{t("members.invitedAt")}</Table.Th>
                {writes && (
                  <Table.Th>
                    <span className="visually-hidden">{t("members.actions")}</span>
                  </Table.Th>
                )}
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {rows.map((row) => (
                <MemberRow
                  key={row.uuid}
                  row={row}
                  writes={writes}
                  onChange={() => open("edit", row.uuid)}
                  onRenew={() => void renew(row)}
                  onRemove={() => setRemoving(row)}
                />
              ))}
            </Table.Tbody>
          </Table>
          {rows.length === 0 && (
            <EmptyList loading={!data} text={t("members.empty")} hint={t("members.emptyHint")}>
              {invite}
            </EmptyList>
          )}
        </Paper>
      )}
      {params.has("invite") && permissions && writes && (
        <InviteDialog
          permissions={permissions}
          onClose={() => open("invite", null)}
          onInvited={(made) => {
            open("invite", null);
            setInvitation(made);
            reload();
          }}
        />
      )}
      {edited && permissions && writes && (
        <ChangeDialog
          key={edited.uuid}
          member={edited}
          permissions={permissions}
          onClose={() => open("edit", null)}
          onChanged={() => {
            open("edit", null);
            notice.show(t("members.changed", { email: edited.email }));
            reload();
          }}
        />
      )}
      {invitation && <LinkDialog invitation={invitation} onClose={() => setInvitation(null)} />}
      {removing && (
        <RemoveDialog
          member={removing}
          onClose={() => setRemoving(null)}
          onRemoved={(ended) => {
            const done = t(removing.joinedAt ? "members.removed" : "members.withdrawn", {
              email: removing.email,
            });
            notice.show(ended ? `${done} ${t("members.ended", { count: ended, number: ended })}` : done);
            setRemoving(null);
            reload();
          }}
        />
      )}
    </>
  );
}
