import { Alert, Anchor, Select, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { Link } from "react-router";
import { useTranslation } from "../../../frame/i18n";
import type { Source } from "./useSources";

interface Props {
  sources: readonly Source[];
  value?: string | null;
  onChange: (value: string | null) => void;
  error?: ReactNode;
}

/** Chooses the account that sends, if there are several; says so if the only one is not connected. */
export function SourceField({ sources, value = null, ...props }: Props) {
  const { t } = useTranslation();
  const chosen =
    sources.find(({ uuid }) => uuid === value) ?? (sources.length === 1 ? sources[0] : undefined);
  const known = value === null || sources.some(({ uuid }) => uuid === value);
  return (
    <>
      {(sources.length > 1 || props.error) && (
        <Select
          {...props}
          label={t("send.source")}
          description={t("send.anySource")}
          placeholder={t("send.automatic")}
          clearable
          value={known ? value : null}
          data={sources.map(({ uuid, name, login, state }) => ({
            value: uuid,
            label: state === "working" ? name || login : t("send.sourceOffline", { account: name || login }),
          }))}
        />
      )}
      {chosen && chosen.state !== "working" && (
        <Alert color="yellow" py={8} role="note">
          <Text size="sm">
            {t("send.notConnected", { account: chosen.name || chosen.login })}{" "}
            <Anchor component={Link} to={`/messengers/${chosen.uuid}`} size="sm">
              {t("send.toAccount")}
            </Anchor>
          </Text>
        </Alert>
      )}
    </>
  );
}
