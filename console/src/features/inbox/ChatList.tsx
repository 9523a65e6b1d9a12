import { Avatar, Badge, Button, Center, Group, SegmentedControl } from "@mantine/core";
import { IconBrandTelegram, IconBrandWhatsapp, IconPlugConnectedX, IconX } from "@tabler/icons-react";
import type { UIEvent } from "react";
import { Link } from "react-router";
import { useTranslation } from "../../frame/i18n";
import { ProblemNotice } from "../../frame/ui/page/ProblemNotice";
import { EmptyList } from "../../frame/list/EmptyList";
import { SearchField } from "../../frame/ui/SearchField";
import { textWithMarks, withMarks } from "../../frame/values/marks";
import { Time } from "../../frame/ui/Time";
import { FilterMenu } from "../../frame/list/FilterMenu";
import { Hits } from "./hits/Hits";
import classes from "./inbox.module.css";
import { LabelBadge } from "./labels/LabelBadge";
import {
  accountName,
  chatPath,
  initialsOf,
  isConnected,
  isTemplate,
  titleOf,
  type Account,
  type ChatRow,
  type Label,
} from "./model";
import { isFiltered, isSearchable, searchParams, STATES, type Search } from "./search";
import { Ticks } from "./conversation/Ticks";
import type { useChats } from "./useChats";

const NEAR_END = 200; // pixels

interface Props {
  chats: ReturnType<typeof useChats>;
  accounts: readonly Account[];
  labels: readonly Label[];
  search: Search;
  open: string | undefined;
  /** the message that a hit of the search has led to */
  message: string | null;
  onSearch: (part: Partial<Search>) => void;
}

export function ChatList({ chats, accounts, labels, search, open, message, onSearch }: Props) {
  const { t } = useTranslation();
  const searching = isSearchable(search.text);
  function loadAtEnd({ currentTarget: box }: UIEvent<HTMLElement>) {
    const near = box.scrollHeight - box.scrollTop - box.clientHeight < NEAR_END;
    // After a failure the notice asks for another try.
    // Below the chats are the messages that were found.
    if (near && !searching && chats.next && !chats.loading && !chats.problem) chats.more();
  }
  return (
    <section className={classes.list} aria-label={t("inbox.chats")}>
      <Group gap={6} p={8} className={classes.filters}>
        <SegmentedControl
          size="xs"
          fullWidth
          w="100%"
          aria-label={t("inbox.state")}
          value={search.state}
          data={STATES.map((value) => ({ value, label: t(`inbox.states.${value}`) }))}
          onChange={(value) => onSearch({ state: value })}
        />
        <SearchField label={t("inbox.search")} value={search.text} onChange={(text) => onSearch({ text })} />
        <Button
          variant={search.unread ? "light" : "default"}
          aria-pressed={search.unread}
          onClick={() => onSearch({ unread: !search.unread })}
        >
          {t("inbox.unreadOnly")}
        </Button>
        {labels.length > 0 && (
          <FilterMenu
            label={t("inbox.labels.one")}
            options={labels.map((label) => ({ value: label.uuid, label: withMarks(label.name) }))}
            chosen={search.label ? [search.label] : []}
            onChange={([label]) => onSearch({ label: label ?? null })}
          />
        )}
        {accounts.length > 1 && (
          <FilterMenu
            label={t("inbox.account")}
            options={accounts.map((account) => ({
              value: account.uuid,
              label: isConnected(account)
                ? accountName(account)
                : t("inbox.accountOffline", { account: accountName(account) }),
            }))}
            chosen={search.account ? [search.account] : []}
            onChange={([account]) => onSearch({ account: account ?? null })}
          />
        )}
        {isFiltered(search) && (
          <Button
            variant="subtle"
            color="gray"
            leftSection={<IconX size={14} />}
            onClick={() => onSearch({ text: "", unread: false, account: null, label: null })}
          >
            {t("inbox.clear")}
          </Button>
        )}
      </Group>
      {chats.problem && <ProblemNotice problem={chats.problem} onRetry={chats.reload} />}
      <div className={classes.rows} onScroll={loadAtEnd} aria-busy={chats.loading}>
        <ul className={classes.plain}>
          {chats.rows.map((row) => (
            <Row
              key={row.chat.uuid}
              row={row}
              account={accounts.find(({ uuid }) => uuid === row.chat.accountId)}
              several={accounts.length > 1}
              current={row.chat.uuid === open}
              query={searchParams(search).toString()}
            />
          ))}
        </ul>
        {chats.rows.length === 0 && !chats.problem && (
          <EmptyList
            loading={chats.loading}
            text={t(
              searching
                ? "inbox.noChatFound"
                : isFiltered(search)
                  ? "inbox.nothingFound"
                  : search.state === "closed"
                    ? "inbox.noneClosed"
                    : "inbox.empty",
            )}
          />
        )}
        {chats.next && chats.rows.length > 0 && (
          <Center p={8}>
            <Button variant="default" loading={chats.loading} onClick={chats.more}>
              {t("inbox.more")}
            </Button>
          </Center>
        )}
        {searching && <Hits search={search} accounts={accounts} open={message} />}
      </div>
    </section>
  );
}

interface RowProps {
  row: ChatRow;
  account: Account | undefined;
  several: boolean;
  current: boolean;
  query: string;
}

function Row({ row: { chat, last }, account, several, current, query }: RowProps) {
  const { t } = useTranslation();
  const title = titleOf(chat);
  const Messenger = account?.source === "whatsapp" ? IconBrandWhatsapp : IconBrandTelegram;
  return (
    <li>
      <Link
        to={{ pathname: chatPath(chat.accountId, chat.uuid), search: query }}
        className={classes.row}
        aria-current={current ? "page" : undefined}
      >
        <Avatar size={36} radius="xl" color="postern" aria-hidden>
          {initialsOf(title) || <Messenger size={18} stroke={1.6} />}
        </Avatar>
        <span className={classes.about}>
          <span className={classes.line}>
            <span className={classes.name} data-unread={chat.unread > 0 || undefined}>
              <bdi>{withMarks(title)}</bdi>
            </span>
            <span className={classes.when}>{chat.lastAt && <Time value={chat.lastAt} />}</span>
          </span>
          <span className={classes.line}>
            <span className={classes.preview}>
              {last?.outgoing && <Ticks status={last.status} />}
              <Preview row={{ chat, last }} />
            </span>
            {chat.unread > 0 && (
              <Badge size="sm" variant="filled" tt="none" className={classes.count}>
                <span aria-hidden>{chat.unread}</span>
                <span className="visually-hidden">{t("inbox.unread", { count: chat.unread })}</span>
              </Badge>
            )}
          </span>
          {(several || chat.closedAt || (account && !isConnected(account))) && (
            <span className={classes.via}>
              {several && account && (
                <>
                  <Messenger size={12} stroke={1.6} aria-hidden />
                  <span className={classes.ellipsis}>{accountName(account)}</span>
                </>
              )}
              {account && !isConnected(account) && (
                <span className={classes.offline}>
                  <IconPlugConnectedX size={12} stroke={1.6} aria-hidden /> {t("inbox.offline")}
                </span>
              )}
              {chat.closedAt && <span>{t("inbox.closed")}</span>}
            </span>
          )}
          {chat.labels && chat.labels.length > 0 && (
            <span className={classes.labels}>
              {chat.labels.map((label) => (
                <LabelBadge key={label.uuid} label={label} />
              ))}
            </span>
          )}
        </span>
      </Link>
    </li>
  );
}

function Preview({ row: { last, chat } }: { row: ChatRow }) {
  const { t } = useTranslation();
  if (!last) return null;
  if (last.deletedAt) return <i>{t("inbox.deleted")}</i>;
  const file = last.content[0];
  const text =
    last.text || (file ? t(`inbox.kinds.${file.type}`) : isTemplate(last) ? t("inbox.template.sent") : "");
  const who = last.outgoing ? "" : chat.kind === "user" ? "" : (last.name ?? "");
  return (
    <span className={classes.ellipsis} dir="auto">
      {textWithMarks(who ? `${who}: ${text}` : text)}
    </span>
  );
}
