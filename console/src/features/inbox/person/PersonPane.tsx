import { Anchor, Center, Loader, Text, Title } from "@mantine/core";
import { Link } from "react-router";
import { useLoaded } from "../../../frame/api/useLoaded";
import { useTranslation } from "../../../frame/i18n";
import { ProblemNotice } from "../../../frame/ui/page/ProblemNotice";
import { StateBadge } from "../../../frame/ui/StateBadge";
import { Time } from "../../../frame/ui/Time";
import { textWithMarks, withMarks } from "../../../frame/values/marks";
import { useViewer } from "../../../frame/session";
import classes from "../inbox.module.css";
import { chatPath, type Chat } from "../model";
import { InboxPerson } from "./documents";
import { addressOfPerson, earlierOf, otherChats, type Earlier } from "./person";

const EACH = 20;

interface Props {
  chat: Chat | null;
  /** the address, while there is no chat */
  address: string | null;
}

/** What was sent to the person before, and the person's chats with other accounts. */
export function PersonPane({ chat, address }: Props) {
  const { t } = useTranslation();
  const person = addressOfPerson(chat, address);
  return (
    <aside className={classes.person} aria-label={t("inbox.person.title")}>
      <Title order={3}>{t("inbox.person.title")}</Title>
      {person === null ? (
        <Text size="sm" c="dimmed">
          {t(chat && chat.kind !== "user" ? "inbox.person.group" : "inbox.person.unknown")}
        </Text>
      ) : (
        <History key={person} person={person} own={chat?.uuid} />
      )}
    </aside>
  );
}

function History({ person, own }: { person: string; own: string | undefined }) {
  const { t } = useTranslation();
  const { may } = useViewer();
  const { data, problem, reload } = useLoaded(InboxPerson, {
    address: person,
    part: person.replace(/^@/, ""),
    first: EACH,
    messages: may("messages:read"),
    records: may("recipients:read"),
  });
  if (!data) {
    if (problem) return <ProblemNotice problem={problem} onRetry={reload} />;
    return (
      <Center p="md">
        <Loader size="sm" aria-label={t("common.loading")} />
      </Center>
    );
  }
  const chats = otherChats(data, person, own);
  const earlier = earlierOf(data);
  return (
    <>
      <Text size="xs" c="dimmed">
        {t("inbox.person.with", { person })}
      </Text>
      {chats.length > 0 && (
        <>
          <Title order={4} className={classes.personHead}>
            {t("inbox.person.chats")}
          </Title>
          <ul className={classes.plain}>
            {chats.map((other) => (
              <li key={other.uuid}>
                <Anchor component={Link} to={chatPath(other.accountId, other.uuid)} size="sm">
                  {t("inbox.via", { account: other.account?.name || other.account?.login || "" })}
                </Anchor>{" "}
                <span className={classes.when}>{other.lastAt && <Time value={other.lastAt} />}</span>
              </li>
            ))}
          </ul>
        </>
      )}
      <Title order={4} className={classes.personHead}>
        {t("inbox.person.messages")}
      </Title>
      {earlier.length === 0 && (
        <Text size="sm" c="dimmed" role="status">
          {t("inbox.person.nothing")}
        </Text>
      )}
      <ul className={classes.plain}>
        {earlier.map((item) => (
          <EarlierRow key={item.uuid} item={item} />
        ))}
      </ul>
    </>
  );
}

function EarlierRow({ item }: { item: Earlier }) {
  const { t, textOr } = useTranslation();
  return (
    <li className={classes.earlier}>
      <span className={classes.line}>
        <span className={classes.when}>{textOr(`channels.${item.channel}`, item.channel)}</span>
        <span className={classes.when}>
          <Time value={item.at} />
        </span>
      </span>
      <span className={classes.earlierText} dir="auto">
        {textWithMarks(item.text)}
      </span>
      <span className={classes.line}>
        <Anchor
          component={Link}
          to={item.project ? `/projects/${item.project.uuid}` : `/messages/${item.uuid}`}
          size="xs"
          className={classes.ellipsis}
        >
          {item.project ? withMarks(item.project.name) : t("inbox.person.direct")}
        </Anchor>
        <StateBadge state={item.state} />
      </span>
    </li>
  );
}
