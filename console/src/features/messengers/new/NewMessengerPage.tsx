import "../styles";
import { Anchor, Badge, Breadcrumbs, Group, Loader, Stack, Text } from "@mantine/core";
import { Link, useSearchParams } from "react-router";
import { useLoaded } from "../../../frame/api/useLoaded";
import { useTranslation } from "../../../frame/i18n";
import { ProblemNotice } from "../../../frame/ui/page/ProblemNotice";
import { usePageTitle } from "../../../frame/ui/page/usePageTitle";
import { PageHead } from "../../../frame/ui/page/PageHead";
import { EnabledDrivers } from "../documents";
import classes from "../messengers.module.css";
import { AddForm } from "./AddForm";
import { kindsOf, type Kind } from "./kinds";

/** Adds an account: first what to connect, then only the fields that this needs. */
export default function NewMessengerPage() {
  const { t } = useTranslation();
  const { data, problem, reload } = useLoaded(EnabledDrivers, {});
  const [params] = useSearchParams();
  usePageTitle(t("messengers.newTitle"));
  const kinds = kindsOf(data?.messengerDrivers ?? []);
  const chosen = kinds.find(({ id, enabled }) => enabled && id === params.get("kind"));
  return (
    <Stack gap="sm">
      <Breadcrumbs>
        <Anchor component={Link} to="/messengers" size="sm">
          {t("messengers.title")}
        </Anchor>
        <Text size="sm" c="dimmed">
          {t("messengers.newTitle")}
        </Text>
      </Breadcrumbs>
      <PageHead title={t("messengers.newTitle")} />
      {problem && <ProblemNotice problem={problem} onRetry={reload} />}
      {!data && !problem && <Loader size="sm" aria-label={t("common.loading")} />}
      {data && (
        <nav aria-label={t("messengers.what.choose")}>
          <div className={classes.choices}>
            {kinds.map((kind) => (
              <Choice key={kind.id} kind={kind} chosen={kind.id === chosen?.id} />
            ))}
          </div>
        </nav>
      )}
      {chosen && <AddForm key={chosen.id} kind={chosen} />}
    </Stack>
  );
}

function Choice({ kind, chosen }: { kind: Kind; chosen: boolean }) {
  const { t, textOr } = useTranslation();
  const title =
    kind.driver === "sandbox"
      ? t("messengers.kinds.sandbox.title", { messenger: t(`channels.${kind.source}`) })
      : textOr(`messengers.kinds.${kind.driver}.title`, kind.label ?? kind.driver);
  return (
    <div
      className={classes.choice}
      data-chosen={chosen || undefined}
      data-enabled={kind.enabled || undefined}
    >
      <Group gap={6} mb={4}>
        {kind.enabled ? (
          <Anchor
            component={Link}
            to={`?kind=${kind.id}`}
            replace
            aria-current={chosen}
            className={classes.name}
            c="inherit"
            fw={600}
            size="sm"
          >
            {title}
          </Anchor>
        ) : (
          <>
            <Text fw={600} size="sm">
              {title}
            </Text>
            <Badge variant="light" color="gray" radius="sm" size="sm" tt="none" fw={500}>
              {t("messengers.notEnabled")}
            </Badge>
          </>
        )}
      </Group>
      <Text size="xs" c="dimmed">
        {textOr(`messengers.kinds.${kind.driver}.text`, kind.about ?? "")}
      </Text>
      {!kind.enabled && kind.driver !== "sandbox" && (
        <Text size="xs" mt={6}>
          {textOr(`messengers.kinds.${kind.driver}.enable`, "")}
        </Text>
      )}
    </div>
  );
}
