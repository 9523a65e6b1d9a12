import { useTranslation } from "../../../../frame/i18n";

/**
 * Writes a number of a plan: as it is, as an estimate, or as the most. Of a project that follows another one only the
 * most is known, because its plan counts everybody whom the other one may not reach.
 */
export function useAbout(exact: boolean, follows: boolean): (value: string) => string {
  const { t } = useTranslation();
  return (value) => (exact ? value : follows ? t("making.planAtMost", { value }) : `≈ ${value}`);
}
