import type { AuditRowFragment } from "../../gql/graphql";
import { useTranslation } from "../i18n";
import { useViewer } from "../session";
import { toldBy } from "./sentence";

/** Returns who did what an entry is about: a name for people. */
export function useActorName(actors: ReadonlyMap<string, string>) {
  const { t } = useTranslation();
  const viewer = useViewer();
  return ({ actorId, actorEmail, actor, actorKind }: AuditRowFragment): string => {
    if (actorId !== null && actorId === viewer.uuid) return t("audit.you");
    const known = actorId === null ? undefined : actors.get(actorId);
    const name = known ?? actorEmail ?? actor?.email ?? actorId;
    if (name) return name;
    if (actorKind === "cli") return t("audit.operator");
    return t(actorKind === "system" ? "audit.sentences.service" : "audit.nobody");
  };
}

/** Returns a sentence about an entry: “Ada changed the text of the project “Spring””. */
export function useSentence(actors: ReadonlyMap<string, string>) {
  const { t, textOr, language } = useTranslation();
  const nameOf = useActorName(actors);
  const list = new Intl.ListFormat(language, { type: "conjunction" });
  return (row: AuditRowFragment, objectName: string | null): string => {
    const told = toldBy(row);
    const who = nameOf(row);
    const refused = row.result === "refused";
    if (told.whole) {
      const forms = refused ? "wholeInfinitives" : "wholes";
      const verb = textOr(`audit.sentences.${forms}.${told.whole}`, told.whole);
      return t(refused ? "audit.sentences.triedWhole" : "audit.sentences.didWhole", { who, verb });
    }
    const kind = textOr(`audit.sentences.kinds.${row.objectType}`, row.objectType);
    const name = told.name ?? objectName;
    const what = name
      ? t("audit.sentences.objectNamed", { kind, name })
      : t("audit.sentences.object", { kind });
    const verb = textOr(`audit.sentences.${refused ? "infinitives" : "verbs"}.${told.verb}`, told.verb);
    if (refused) return t("audit.sentences.tried", { who, verb, what });
    const words = [...new Set(told.fields.map((field) => textOr(`audit.sentences.fields.${field}`, field)))];
    if (words.length === 0) return t("audit.sentences.did", { who, verb, what });
    const fields = list.format(words.map((field) => t("audit.sentences.field", { field })));
    return t("audit.sentences.didFields", { who, verb, fields, what });
  };
}
