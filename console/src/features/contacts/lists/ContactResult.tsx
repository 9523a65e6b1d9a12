import { Alert, Button, Group, Loader, Text } from "@mantine/core";
import { IconSend } from "@tabler/icons-react";
import { Link } from "react-router";
import { useTranslation } from "../../../frame/i18n";
import { BadRowList } from "../../../frame/lists/BadRowList";
import { ListFigures, useListRead } from "../../../frame/lists/ReadList";
import { useViewer } from "../../../frame/session";
import { ProblemNotice } from "../../../frame/ui/page/ProblemNotice";
import { useFormat } from "../../../frame/values/format";
import type { ContactMapping } from "../../../gql/graphql";
import { withMarks } from "../../../frame/values/marks";

interface Props {
  uuid: string;
  /** back to the columns */
  onAgain?: (() => void) | undefined;
  onOther: () => void;
}

const FIGURES = ["created", "changed", "unchanged", "subscribed", "suppressed"] as const;

/** What has become of the rows of a list, while they are read and afterwards. */
export function ContactResult({ uuid, onAgain, onOther }: Props) {
  const { t } = useTranslation();
  const format = useFormat();
  const { may } = useViewer();
  const { list, reading, problem, loading } = useListRead(uuid);
  if (!list) {
    return problem && !loading ? (
      <ProblemNotice problem={problem} onRetry={onOther} />
    ) : (
      <Loader size="sm" aria-label={t("common.loading")} />
    );
  }
  const contacts = list.contacts;
  // A project takes all rows of the file: not for a list that says who may be written to.
  const mapping = (contacts?.mapping ?? {}) as ContactMapping;
  const asksConsent = Boolean(mapping.consent ?? mapping.status);
  return (
    <>
      {problem && <ProblemNotice problem={problem} />}
      {list.status === "failed" ? (
        <Alert color="red" role="alert" title={t("lists.listFailed")}>
          {list.statusReason && withMarks(list.statusReason)}
        </Alert>
      ) : (
        <ListFigures list={list} name={t("contactLists.title")} />
      )}
      {contacts && list.valid > 0 && (
        <Text size="sm" role="status">
          {FIGURES.filter((name) => contacts[name] > 0)
            .map((name) => t(`contactLists.${name}`, { number: format.number(contacts[name]) }))
            .join(" · ")}
        </Text>
      )}
      {list.invalid > 0 && !reading && (
        <BadRowList uuid={uuid} count={list.invalid} fileName={list.fileName ?? null} />
      )}
      <Group justify="space-between">
        <Group gap={6}>
          {onAgain && !reading && (
            <Button variant="default" onClick={onAgain}>
              {t("lists.changeColumns")}
            </Button>
          )}
          <Button variant="default" onClick={onOther}>
            {t("lists.otherList")}
          </Button>
        </Group>
        <Group gap={6}>
          <Button variant="default" component={Link} to="/contacts">
            {t("contactLists.show")}
          </Button>
          {may("projects:write") && list.fileUuid && list.valid > 0 && !reading && !asksConsent && (
            <Button
              component={Link}
              to={`/projects/new?file=${list.fileUuid}`}
              leftSection={<IconSend size={14} />}
            >
              {t("contactLists.send")}
            </Button>
          )}
        </Group>
      </Group>
    </>
  );
}
