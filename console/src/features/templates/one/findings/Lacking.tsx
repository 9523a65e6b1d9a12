import { List } from "@mantine/core";
import { useLoaded } from "../../../../frame/api/useLoaded";
import { useContactVariables, useSeesContacts } from "../../../../frame/contacts/usePeople";
import { useTranslation } from "../../../../frame/i18n";
import { useViewer } from "../../../../frame/session";
import { useFormat } from "../../../../frame/values/format";
import { CountLacking } from "../documents";
import type { TextDraft } from "../draft";
import { printedBare } from "./findings";

/** So many fields are counted: each is a request. */
const MOST = 5;

/** Says how many contacts that emails reach lack a field that the text prints without another value for them. */
export function Lacking({ text }: { text: TextDraft }) {
  const sees = useSeesContacts();
  const fields = useContactVariables().filter(({ isField }) => isField);
  const printed = printedBare(text);
  const names = sees ? fields.filter(({ name }) => printed.includes(name)).slice(0, MOST) : [];
  if (names.length === 0) return null;
  return (
    <List size="sm" mt="xs">
      {names.map(({ name }) => (
        <OfField key={name} name={name} />
      ))}
    </List>
  );
}

function OfField({ name }: { name: string }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { ownerUuid } = useViewer();
  const reached = { ownerId: { eq: ownerUuid }, channel: { eq: "email" as const } };
  const { data } = useLoaded(CountLacking, {
    all: reached,
    lacking: { ...reached, fields: [{ key: name, isSet: false }] },
  });
  const count = data?.lacking?.totalCount ?? 0;
  if (!data || count === 0) return null;
  return (
    <List.Item>
      {t("templates.builder.lacking", {
        count,
        number: format.number(count),
        all: format.number(data.all?.totalCount ?? 0),
        name,
      })}
    </List.Item>
  );
}
