import { useBilling } from "../billing";
import { useTranslation } from "../i18n";
import { useViewer } from "../session";
import classes from "./sandbox.module.css";
import { useSendingChannels } from "./useSandbox";

/** Says on every page that this is a sandbox, as far as it is one. */
export function SandboxBand() {
  const { t, textOr, language } = useTranslation();
  const viewer = useViewer();
  const isFree = useBilling() === "off";
  const channels = useSendingChannels();
  const sandboxed = channels.filter(({ sandbox }) => sandbox);
  if (sandboxed.length === 0) return null;
  const listed = (items: readonly string[]) =>
    new Intl.ListFormat(language, { style: "long", type: "conjunction" }).format(items);
  const names = (items: typeof channels) =>
    listed(items.map(({ channel }) => textOr(`channels.${channel}`, channel)));
  const isWhole = sandboxed.length === channels.length;
  return (
    <div className={classes.band} role="note" aria-label={t("sandbox.label")}>
      <span>
        <b>{t("sandbox.label")}.</b>{" "}
        {isWhole
          ? t(isFree ? "sandbox.wholeFree" : "sandbox.whole")
          : t("sandbox.some", {
              sandboxed: names(sandboxed),
              real: names(channels.filter(({ sandbox }) => !sandbox)),
            })}
      </span>
      {viewer.isAdmin && (
        <span className={classes.settings}>
          {t("sandbox.toSet", { settings: listed(sandboxed.map(({ setting }) => setting)) })}
        </span>
      )}
    </div>
  );
}
