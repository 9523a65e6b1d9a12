import { Anchor, Badge, Breadcrumbs, Button, Loader, Paper, Stack, Text, Title } from "@mantine/core";
import { IconArrowMerge, IconEraser, IconPencil, IconTrash } from "@tabler/icons-react";
import { useState, type ReactNode } from "react";
import { Link, useNavigate, useParams } from "react-router";
import { useLoaded } from "../../frame/api/useLoaded";
import { useTranslation } from "../../frame/i18n";
import { useViewer } from "../../frame/session";
import { Exports } from "../../frame/files/Exports";
import { Question } from "../../frame/ui/dialogs/Question";
import { NotFound } from "../../frame/ui/page/NotFound";
import { PageHead } from "../../frame/ui/page/PageHead";
import { ProblemNotice } from "../../frame/ui/page/ProblemNotice";
import { usePageTitle } from "../../frame/ui/page/usePageTitle";
import { Time } from "../../frame/ui/Time";
import type { OneContactQuery } from "../../gql/graphql";
import { ConsentCard } from "./consent/ConsentCard";
import { ContactDialog } from "./ContactDialog";
import classes from "./contacts.module.css";
import { DeleteContact, OneContact } from "./documents";
import { ErasePerson } from "./erasures/documents";
import { MergeDialog } from "./MergeDialog";
import { Timeline } from "./Timeline";
import { useFields } from "./useContacts";
import { textOf } from "./values";
import { WriteMenu } from "./WriteMenu";

type Contact = NonNullable<OneContactQuery["contact"]>;

export default function ContactPage() {
  const { uuid = "" } = useParams();
  return <OnePage key={uuid} uuid={uuid} />;
}

function OnePage({ uuid }: { uuid: string }) {
  const { t } = useTranslation();
  const { data, problem, loading, reload } = useLoaded(OneContact, { id: uuid });
  usePageTitle(data?.contact?.name || t("nav.contacts"));
  if (data?.contact) return <Shown contact={data.contact} reload={reload} />;
  if (loading) return <Loader size="sm" aria-label={t("common.loading")} />;
  if (!problem || problem.code === "contact_not_found" || problem.code === "bad_id") {
    return <NotFound text={t("contacts.notFound")} />;
  }
  return <ProblemNotice problem={problem} onRetry={reload} />;
}

/** A person: addresses, and what is known. */
function Shown({ contact, reload }: { contact: Contact; reload: () => void }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { may: has } = useViewer();
  const may = has("contacts:write");
  const { fields } = useFields();
  const [open, setOpen] = useState<"edit" | "merge" | "delete" | "erase" | null>(null);
  const { uuid, name, addresses, externalId, timezone, locale, createdAt, updatedAt } = contact;
  const title = name || externalId || addresses[0]?.address || t("contacts.nameless");
  const values = (contact.fields ?? {}) as Record<string, unknown>;
  const close = () => setOpen(null);

  return (
    <Stack gap="sm">
      <Breadcrumbs>
        <Anchor component={Link} to="/contacts" size="sm">
          {t("nav.contacts")}
        </Anchor>
      </Breadcrumbs>
      <PageHead title={title}>
        {may && (
          <>
            <Button variant="default" leftSection={<IconTrash size={14} />} onClick={() => setOpen("delete")}>
              {t("contacts.delete")}
            </Button>
            <Button variant="default" leftSection={<IconEraser size={14} />} onClick={() => setOpen("erase")}>
              {t("erasures.erase")}
            </Button>
            <Button
              variant="default"
              leftSection={<IconArrowMerge size={14} />}
              onClick={() => setOpen("merge")}
            >
              {t("contacts.merge")}
            </Button>
            <Button variant="default" leftSection={<IconPencil size={14} />} onClick={() => setOpen("edit")}>
              {t("contacts.edit")}
            </Button>
          </>
        )}
        <WriteMenu addresses={addresses} />
      </PageHead>
      <Paper p="sm">
        <Title order={2}>{t("contacts.addresses")}</Title>
        {addresses.length === 0 && (
          <Text size="sm" c="dimmed">
            {t("contacts.noAddress")}
          </Text>
        )}
        <dl className={classes.values}>
          {addresses.map(({ channel, address, primary, verifiedAt }) => (
            <Value key={`${channel} ${address}`} name={t(`contacts.channels.${channel}`)}>
              {address}{" "}
              {primary && (
                <Badge size="xs" variant="light">
                  {t("contacts.primary")}
                </Badge>
              )}{" "}
              {verifiedAt && (
                <Badge size="xs" variant="light" color="green">
                  {t("contacts.verified")}
                </Badge>
              )}
            </Value>
          ))}
        </dl>
      </Paper>
      <Paper p="sm">
        <Title order={2}>{t("contacts.known")}</Title>
        <dl className={classes.values}>
          {externalId && <Value name={t("contacts.externalId")}>{externalId}</Value>}
          {timezone && <Value name={t("contacts.timezone")}>{timezone}</Value>}
          {locale && <Value name={t("contacts.locale")}>{locale}</Value>}
          {Object.keys(values)
            .sort()
            .map((key) => (
              <Value key={key} name={fields.find((field) => field.key === key)?.label ?? key}>
                {textOf(values[key])}
              </Value>
            ))}
          <Value name={t("contacts.added")}>
            <Time value={createdAt} />
          </Value>
          <Value name={t("contacts.changed")}>
            <Time value={updatedAt} />
          </Value>
        </dl>
      </Paper>
      <ConsentCard contact={contact} />
      {has("exports:write") && (
        <Exports
          title={t("erasures.data")}
          empty={t("erasures.noExport")}
          sources={[{ source: "person", label: t("erasures.export") }]}
          where={{ source: { eq: "person" }, contactId: { eq: uuid } }}
          filters={{ contactUuid: uuid }}
        />
      )}
      <Timeline key={addresses.map(({ address }) => address).join(" ")} uuid={uuid} />
      {open === "edit" && (
        <ContactDialog
          contact={contact}
          fields={fields}
          onClose={close}
          onSaved={() => {
            close();
            reload();
          }}
        />
      )}
      {open === "merge" && (
        <MergeDialog
          uuid={uuid}
          onClose={close}
          onMerged={() => {
            close();
            reload();
          }}
        />
      )}
      {open === "delete" && (
        <Question
          title={t("contacts.deleteTitle", { name: title })}
          question={t("contacts.deleteText")}
          action={t("contacts.delete")}
          mutation={DeleteContact}
          variables={{ id: uuid }}
          onDone={() => void navigate("/contacts", { replace: true })}
          onClose={close}
        />
      )}
      {open === "erase" && (
        <Question
          title={t("erasures.eraseTitle", { name: title })}
          question={t("erasures.eraseText")}
          action={t("erasures.erase")}
          mutation={ErasePerson}
          variables={{ input: { contactUuid: uuid } }}
          onDone={() => void navigate("/contacts/erasures", { replace: true })}
          onClose={close}
        />
      )}
    </Stack>
  );
}

function Value({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}
