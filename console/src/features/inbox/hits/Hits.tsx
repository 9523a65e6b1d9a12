import { Button, Center, Mark, Text } from "@mantine/core";
import { Link } from "react-router";
import { useTranslation } from "../../../frame/i18n";
import { usePagedQuery } from "../../../frame/list/PagedList";
import { ProblemNotice } from "../../../frame/ui/page/ProblemNotice";
import { EmptyList } from "../../../frame/list/EmptyList";
import { Time } from "../../../frame/ui/Time";
import { textWithMarks, withMarks } from "../../../frame/values/marks";
import type { InboxHitsQuery } from "../../../gql/graphql";
import classes from "../inbox.module.css";
import { accountName, chatPath, type Account } from "../model";
import { searchParams, type Search } from "../search";
import { InboxHits } from "./documents";
import { snippetOf } from "./snippet";

type Hit = NonNullable<InboxHitsQuery["messengerMessageSearch"]>["nodes"][number];

const POLL_MS = 60_000;

interface Props {
  search: Search;
  accounts: readonly Account[];
  /** the message that a hit has led to */
  open: string | null;
}

/** The messages in which the words stand that are searched for, the newest first. */
export function Hits({ search, accounts, open }: Props) {
  const { t } = useTranslation();
  const text = search.text.trim();
  const { list, state } = usePagedQuery(
    `inbox-hits?${search.account ?? ""}&${text}`,
    InboxHits,
    (after) => ({ text, account: search.account, after }),
    (data) => data.messengerMessageSearch,
    { pollMs: POLL_MS, pollWith: "update" },
  );
  const { rows, loading, complete, problem } = state;
  return (
    <section aria-label={t("inbox.hits.title")} aria-busy={loading}>
      <Text component="h2" className={classes.hitsHead}>
        {t("inbox.hits.title")}
      </Text>
      {problem && <ProblemNotice problem={problem} onRetry={() => void list.retry()} />}
      <ul className={classes.plain}>
        {rows.map((hit) => (
          <HitRow
            key={hit.uuid}
            hit={hit}
            asked={text}
            account={
              accounts.length > 1 ? accounts.find(({ uuid }) => uuid === hit.account?.uuid) : undefined
            }
            current={hit.uuid === open}
            search={search}
          />
        ))}
      </ul>
      {rows.length === 0 && !problem && <EmptyList loading={loading} text={t("inbox.hits.none")} />}
      {!complete && rows.length > 0 && (
        <Center p={8}>
          <Button variant="default" loading={loading} onClick={() => void list.more()}>
            {t("inbox.hits.more")}
          </Button>
        </Center>
      )}
    </section>
  );
}

interface RowProps {
  hit: Hit;
  asked: string;
  account: Account | undefined;
  current: boolean;
  search: Search;
}

function HitRow({ hit, asked, account, current, search }: RowProps) {
  const { t } = useTranslation();
  const { chat } = hit;
  if (!chat || !hit.account) return null; // a message that no messenger has reported yet is in no chat
  const title = chat.name ?? chat.phone ?? (chat.username ? `@${chat.username}` : chat.thread);
  const query = searchParams(search);
  query.set("message", hit.uuid);
  return (
    <li>
      <Link
        to={{ pathname: chatPath(hit.account.uuid, chat.uuid), search: query.toString() }}
        className={classes.row}
        aria-current={current ? "page" : undefined}
      >
        <span className={classes.about}>
          <span className={classes.line}>
            <span className={classes.name}>
              <bdi>{withMarks(title)}</bdi>
            </span>
            <span className={classes.when}>
              <Time value={hit.at} />
            </span>
          </span>
          <span className={classes.snippet} dir="auto">
            {hit.outgoing && `${t("inbox.hits.you")} `}
            {snippetOf(textWithMarks(hit.text), asked).map((part, index) =>
              part.found ? <Mark key={index}>{part.text}</Mark> : part.text,
            )}
          </span>
          {account && <span className={classes.via}>{accountName(account)}</span>}
        </span>
      </Link>
    </li>
  );
}
