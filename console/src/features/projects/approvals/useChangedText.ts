import { useTranslation } from "../../../frame/i18n";

/** Names what has voided an approval: the columns of the project that were changed, or its recipients. */
export function useChangedText(): (changed: string | null | undefined) => string {
  const { textOr } = useTranslation();
  return (changed) =>
    (changed ?? "")
      .split(", ")
      .map((name) => textOr(`approvals.changes.${name}`, name))
      .filter(Boolean)
      .join(", ");
}
