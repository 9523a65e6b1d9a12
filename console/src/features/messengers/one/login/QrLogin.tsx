import { Center, Loader, Paper, Stack, Text, Title } from "@mantine/core";
import { useTranslation } from "../../../../frame/i18n";
import type { MessengerSource } from "../../../../gql/graphql";
import classes from "../../messengers.module.css";
import { Steps } from "./Steps";
import type { LoginCode } from "../useAccount";
import { Validity } from "./Validity";

interface Props {
  source: MessengerSource;
  code: LoginCode | null;
}

export function QrLogin({ source, code }: Props) {
  const { t } = useTranslation();
  return (
    <Paper p="sm">
      <div className={classes.login}>
        <div>
          <div className={classes.qr}>
            {code?.png ? (
              <img
                src={`data:image/png;base64,${code.png}`}
                alt={t("messengers.qr")}
                data-value={code.value}
              />
            ) : (
              <Center>
                <Loader size="sm" color="dark" aria-label={t("common.loading")} />
              </Center>
            )}
          </div>
        </div>
        <Stack gap="xs">
          <Title order={2}>{t("messengers.scan")}</Title>
          <Steps source={source} kind="qr" />
          <Validity code={code} />
          <Text size="xs" c="dimmed">
            {t("messengers.byItself")}
          </Text>
        </Stack>
      </div>
    </Paper>
  );
}
