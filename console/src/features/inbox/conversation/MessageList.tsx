import { Button, Center, Loader, Text } from "@mantine/core";
import { IconArrowDown } from "@tabler/icons-react";
import {
  Fragment,
  memo,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type ReactNode,
} from "react";
import { useTranslation } from "../../../frame/i18n";
import { ProblemNotice } from "../../../frame/ui/page/ProblemNotice";
import { Bubble, SendingBubble } from "./Bubble";
import type { Conversation, State } from "./conversation";
import { isSameDay, useDayName } from "./days";
import classes from "../inbox.module.css";
import { titleOf, type Message, type Note } from "../model";
import { NoteBubble } from "./NoteBubble";
import { reach } from "./reach";
import { timeline } from "./timeline";
import { afterDrawing, keyOf, useDrawn } from "./useDrawn";
import { together, type Outgoing } from "../outbox";

function jump(uuid: string) {
  const target = document.getElementById(`m-${uuid}`);
  target?.scrollIntoView({ block: "center" });
  target?.animate([{ opacity: 0.3 }, { opacity: 1 }], { duration: 600 });
}

const AT_END = 60; // pixels from the end that count as the end
const NEAR_START = 80;

interface Props {
  conversation: Conversation;
  state: State;
  account: string;
  /** newest first */
  notes: readonly Note[];
  empty: ReactNode;
  /** the message to show first; null: the newest one */
  target: string | null;
  /** whether something can be sent */
  writable: boolean;
  onReply: (message: Message) => void;
  onAgain: (entry: Outgoing) => void;
  onSendAgain: (message: Message) => void;
  onDeleteNote: (uuid: string) => void;
  /** called when the newest messages are in sight */
  onSeen: () => void;
}

/** The messages, and the notes between them. It is not drawn again while somebody writes. */
export const MessageList = memo(function MessageList(props: Props) {
  const { conversation, state, account, notes, empty, target, writable } = props;
  const { onReply, onAgain, onSendAgain, onDeleteNote, onSeen } = props;
  const { t } = useTranslation();
  const dayName = useDayName();
  const { messages, outbox } = useMemo(
    () => together(state.messages, state.outbox),
    [state.messages, state.outbox],
  );
  const entries = useMemo(() => timeline(messages, notes, state.whole), [messages, notes, state.whole]);
  const { start, drawMore, drawAll } = useDrawn(entries, target !== null);
  const firstDrawn = entries[start] && keyOf(entries[start]);
  const { box, inner, atEnd, fresh, toEnd, toTarget, onScroll } = useScroll(
    state,
    firstDrawn,
    notes.length,
    onSeen,
  );
  const seeking = useTarget(conversation, target, state.loading, drawAll, toTarget);
  const onJump = useCallback(
    (uuid: string) => {
      if (document.getElementById(`m-${uuid}`)) jump(uuid);
      else {
        drawAll();
        afterDrawing(() => jump(uuid));
      }
    },
    [drawAll],
  );
  const byId = useMemo(() => new Map(messages.map((message) => [message.uuid, message])), [messages]);
  const canLoad = start === 0 && state.chat !== null && state.hasOlder && !state.whole && !state.loading;

  return (
    <div className={classes.messages}>
      <div
        ref={box}
        className={classes.scroll}
        tabIndex={0}
        role="log"
        aria-label={t("inbox.messages", { name: state.chat ? titleOf(state.chat) : "" })}
        aria-busy={state.loading || state.loadingOlder || seeking === "seeking"}
        onScroll={(event) => {
          onScroll();
          const first = event.currentTarget.scrollTop < NEAR_START;
          if (first && start > 0) drawMore();
          else if (first && canLoad && !state.olderProblem) void conversation.older();
        }}
      >
        <div ref={inner} className={classes.inner}>
          {state.olderProblem && (
            <ProblemNotice problem={state.olderProblem} onRetry={() => void conversation.older()} />
          )}
          {canLoad && !state.olderProblem && (
            <Center p={8}>
              <Button
                variant="subtle"
                color="gray"
                fw={500}
                loading={state.loadingOlder}
                onClick={() => void conversation.older()}
              >
                {t("inbox.older")}
              </Button>
            </Center>
          )}
          {state.whole && start === 0 && messages.length > 0 && (
            <Text size="xs" c="dimmed" ta="center" p={8}>
              {t("inbox.beginning")}
            </Text>
          )}
          {seeking === "missing" && (
            <Center p={8}>
              <Text size="sm" role="status">
                {t("inbox.hits.notReached")}
              </Text>
            </Center>
          )}
          {state.loading && (
            <Center p="lg">
              <Loader size="sm" aria-label={t("common.loading")} />
            </Center>
          )}
          {!state.loading && entries.length === 0 && outbox.length === 0 && empty}
          <ul className={classes.plain}>
            {entries.slice(start).map(({ at, message, note, before }, index) => {
              const earlier = index > 0 ? entries[start + index - 1] : undefined;
              return (
                <Fragment key={message?.uuid ?? note?.uuid}>
                  {(!earlier || !isSameDay(earlier.at, at)) && (
                    <li className={classes.day}>
                      <span>{dayName(at)}</span>
                    </li>
                  )}
                  {note && <NoteBubble note={note} onDelete={onDeleteNote} />}
                  {message && (
                    <Bubble
                      message={message}
                      account={account}
                      named={state.chat?.kind !== "user" && before?.from !== message.from}
                      quoted={message.replyTo ? byId.get(message.replyTo) : undefined}
                      onReply={writable ? onReply : undefined}
                      onJump={onJump}
                      onAgain={state.repeated.has(message.uuid) ? undefined : onSendAgain}
                    />
                  )}
                </Fragment>
              );
            })}
            {outbox.map((entry) => (
              <SendingBubble
                key={entry.key}
                entry={entry}
                onAgain={() => onAgain(entry)}
                onDiscard={() => conversation.discard(entry)}
              />
            ))}
          </ul>
        </div>
      </div>
      {!atEnd && (
        <Button
          className={classes.toEnd}
          variant={fresh > 0 ? "filled" : "default"}
          radius="xl"
          leftSection={<IconArrowDown size={14} />}
          onClick={toEnd}
        >
          {fresh > 0 ? t("inbox.newMessages", { count: fresh }) : t("inbox.toEnd")}
        </Button>
      )}
    </div>
  );
});

/** Loads the message that the address names, and shows it once. */
function useTarget(
  conversation: Conversation,
  target: string | null,
  loading: boolean,
  drawAll: () => void,
  show: (uuid: string) => void,
): "seeking" | "missing" | null {
  const [ended, setEnded] = useState<{ target: string; found: boolean } | null>(null);
  useEffect(() => {
    if (target === null || loading) return;
    let current = true;
    void reach(conversation, target).then((found) => {
      if (!current) return;
      setEnded({ target, found });
      if (!found) return;
      drawAll();
      afterDrawing(() => current && show(target));
    });
    return () => {
      current = false;
    };
  }, [conversation, target, loading, drawAll, show]);
  if (target === null) return null;
  if (ended?.target !== target) return "seeking";
  return ended.found ? null : "missing";
}

/** Keeps the place: older messages appear above it, and new ones move it only if the end is in sight. */
function useScroll(state: State, first: string | undefined, notes: number, onSeen: () => void) {
  const box = useRef<HTMLDivElement>(null);
  const inner = useRef<HTMLDivElement>(null);
  const [atEnd, setAtEnd] = useState(true);
  const end = useRef(true);
  const before = useRef<{ first?: string; last?: string; height: number }>({ height: 0 });
  const [seenLast, setSeenLast] = useState<string | undefined>(undefined);
  const { messages, outbox } = state;
  const last = messages.at(-1)?.uuid;
  const sending = outbox.length;

  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    const height = element.scrollHeight;
    if (end.current) element.scrollTop = height;
    else if (before.current.first !== first && before.current.last === last) {
      element.scrollTop += height - before.current.height;
    }
    before.current = { first, last, height };
  }, [first, last, messages.length, notes]);
  // Who sends something wants to see it.
  useLayoutEffect(() => {
    if (sending > 0 && box.current) box.current.scrollTop = box.current.scrollHeight;
  }, [sending]);
  // Pictures that have loaded, or a longer field below, do not move the end out of sight.
  useEffect(() => {
    const element = box.current;
    if (!element || !inner.current) return;
    const observer = new ResizeObserver(() => {
      if (end.current) element.scrollTop = element.scrollHeight;
      before.current.height = element.scrollHeight;
    });
    observer.observe(element);
    observer.observe(inner.current);
    return () => observer.disconnect();
  }, []);
  if (atEnd && seenLast !== last) setSeenLast(last);
  useEffect(() => {
    if (atEnd) onSeen();
  }, [atEnd, last, onSeen]);

  const position = messages.findIndex(({ uuid }) => uuid === seenLast);
  const fresh = atEnd ? 0 : messages.slice(position + 1).filter(({ outgoing }) => !outgoing).length;
  return {
    box,
    inner,
    atEnd,
    fresh: position < 0 ? 0 : fresh,
    toTarget: useCallback((uuid: string) => {
      end.current = false;
      setAtEnd(false);
      jump(uuid);
    }, []),
    toEnd: () => {
      if (box.current) box.current.scrollTop = box.current.scrollHeight;
    },
    onScroll: () => {
      const element = box.current;
      if (!element) return;
      end.current = element.scrollHeight - element.scrollTop - element.clientHeight < AT_END;
      setAtEnd(end.current);
    },
  };
}
