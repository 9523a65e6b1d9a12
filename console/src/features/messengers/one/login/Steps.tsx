import { useTranslation } from "../../../../frame/i18n";
import type { MessengerSource } from "../../../../gql/graphql";
import classes from "../../messengers.module.css";

/** What to do on the phone, one step after another. */
export function Steps({ source, kind }: { source: MessengerSource; kind: "qr" | "pairing" }) {
  const { t } = useTranslation();
  return (
    <ol className={classes.steps}>
      {(["one", "two", "three"] as const).map((step) => (
        <li key={step}>{t(`messengers.steps.${kind}.${source}.${step}`)}</li>
      ))}
    </ol>
  );
}
