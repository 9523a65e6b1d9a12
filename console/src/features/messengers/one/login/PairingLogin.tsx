import { Loader, Paper, Stack, Text, Title } from "@mantine/core";
import { useTranslation } from "../../../../frame/i18n";
import { CopyButton } from "../../../../frame/ui/CopyButton";
import classes from "../../messengers.module.css";
import { Steps } from "./Steps";
import type { Account, LoginCode } from "../useAccount";
import { Validity } from "./Validity";

export function PairingLogin({ account, code }: { account: Account; code: LoginCode | null }) {
  const { t } = useTranslation();
  return (
    <Paper p="sm">
      <div className={classes.login}>
        <Stack gap="xs" align="center" miw="15rem">
          {code ? (
            <>
              <output className={classes.code} aria-label={t("messengers.pairing")}>
                {code.value}
              </output>
              <CopyButton named text={code.value} label={t("messengers.copyCode")} />
            </>
          ) : (
            <Loader size="sm" aria-label={t("common.loading")} />
          )}
        </Stack>
        <Stack gap="xs">
          <Title order={2}>{t("messengers.enterOnPhone", { phone: `+${account.phone ?? ""}` })}</Title>
          <Steps source={account.source} kind="pairing" />
          <Validity code={code} />
          <Text size="xs" c="dimmed">
            {t("messengers.byItself")}
          </Text>
        </Stack>
      </div>
    </Paper>
  );
}
