import { Button, Paper, Text, Title } from "@mantine/core";
import { IconCircle, IconCircleCheck } from "@tabler/icons-react";
import { Link } from "react-router";
import { useTranslation } from "../../frame/i18n";
import { useViewer } from "../../frame/session";
import type { Purpose } from "../../gql/graphql";
import type { Steps } from "./firstSteps";
import classes from "./overview.module.css";

const STEPS = [
  { name: "send", link: "/messages?send=1", purposes: ["campaigns", "api", "resale"] },
  { name: "campaign", link: "/projects/new?sample=1", purposes: ["campaigns"] },
  { name: "phone", link: "/messengers/new", purposes: ["answers"] },
  { name: "token", link: "/tokens", purposes: ["answers", "api", "resale"] },
] as const satisfies readonly { name: keyof Steps; link: string; purposes: readonly Purpose[] }[];

interface Props {
  done: Steps;
  /** whether the page shows messages that came with the demo */
  examples: boolean;
  /** whether an account has money; null: messages cost none */
  money: boolean | null;
}

/** For somebody of whose messages none was delivered yet: what to try, and what is done. */
export function FirstSteps({ done, examples, money }: Props) {
  const { t } = useTranslation();
  const { purposes } = useViewer().installation;
  const steps = STEPS.filter(
    (step) => purposes.length === 0 || step.purposes.some((purpose) => purposes.includes(purpose)),
  );
  // The first one that is left has the primary button.
  const next = steps.find(({ name }) => !done[name])?.name;
  return (
    <Paper p="md" component="section" aria-label={t("overview.first.title")}>
      <Title order={2}>{t("overview.first.title")}</Title>
      <Text size="sm" c="dimmed" mb="sm">
        {t(`overview.first.${money === null ? "free" : money ? "account" : "noAccount"}`)}
        {examples && ` ${t("overview.first.examples")}`}
      </Text>
      <ol className={classes.steps}>
        {steps.map(({ name, link }) => {
          const Icon = done[name] ? IconCircleCheck : IconCircle;
          return (
            <li key={name}>
              <Icon
                size={20}
                stroke={1.6}
                color={done[name] ? "var(--mantine-color-teal-6)" : "var(--console-dimmed)"}
                role={done[name] ? "img" : undefined}
                aria-label={done[name] ? t("overview.first.done") : undefined}
                aria-hidden={done[name] ? undefined : true}
              />
              <div>
                <Text size="sm" fw={500}>
                  {t(`overview.first.steps.${name}.title`)}
                </Text>
                <Text size="xs" c="dimmed" mb={6}>
                  {t(`overview.first.steps.${name}.text`)}
                </Text>
                <Button component={Link} to={link} variant={name === next ? "filled" : "default"}>
                  {t(`overview.first.steps.${name}.action`)}
                </Button>
              </div>
            </li>
          );
        })}
      </ol>
    </Paper>
  );
}
