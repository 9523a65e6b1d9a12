import { createContext, use, useCallback, useEffect, useMemo, useRef, useState, type ReactNode } from "react";
import { Provider } from "urql";
import type { Module, ViewerQuery } from "../gql/graphql";
import { createApi, type Api } from "./api/client";
import { connection } from "./api/connection";
import { CONSOLE_HEADERS } from "./api/early";
import { isLoggedOut, NETWORK, problemOf, type Problem } from "./api/errors";
import { acting, endActing, forgetOwner } from "./api/owner";
import { UNCHOSEN, type Installation } from "./installation";
import { rememberLogin, type LastLogin } from "./lastLogin";
import { forgetAll, forgetLoaded, keepFor } from "./memory";
import { rightsOf, type Membership, type Rights } from "./rights";
import { Viewer } from "./viewer";

export type Viewer = NonNullable<ViewerQuery["me"]> & {
  /** the owners for whom the user may act */
  memberships: readonly Membership[];
  installation: Installation;
};

/** Why nobody is logged in; the login page says it. */
export type LogoutReason = "none" | "ended" | "loggedOut" | "everywhere" | "passwordChanged";

export type SessionState =
  | { phase: "starting" }
  | { phase: "unreachable"; problem: Problem }
  | { phase: "out"; reason: LogoutReason }
  | { phase: "in"; viewer: Viewer };

export interface Session {
  state: SessionState;
  /** asks the server who is logged in */
  check: () => Promise<void>;
  /** `otp`: the code of the second factor, for a user who has one */
  login: (email: string, password: string, otp?: string) => Promise<Problem | null>;
  logout: (reason: LogoutReason) => Promise<void>;
}

const SessionContext = createContext<Session | null>(null);
const CHECK_AGAIN_MS = 5_000;

export function useSession(): Session {
  const session = use(SessionContext);
  if (!session) throw new Error("useSession needs a SessionProvider");
  return session;
}

/** The user who is logged in, with what this user may do in this tab; for components that are shown only then. */
export function useViewer(): Viewer & Rights & { ownerUuid: string; uses: (module: Module) => boolean } {
  const { state } = useSession();
  if (state.phase !== "in") throw new Error("useViewer needs a login");
  const { viewer } = state;
  const rights = rightsOf(viewer.roles, viewer.memberships);
  return {
    ...viewer,
    ...rights,
    ownerUuid: acting()?.owner ?? viewer.uuid,
    uses: (module) => viewer.installation.modules.includes(module),
  };
}

export function SessionProvider({ children }: { children: ReactNode }) {
  const [state, setState] = useState<SessionState>({ phase: "starting" });
  // Each login has a client of its own, so that nothing of another user stays in its cache.
  const [epoch, setEpoch] = useState(0);
  const phase = useRef(state.phase);
  useEffect(() => {
    phase.current = state.phase;
  }, [state.phase]);
  useEffect(() => {
    if (state.phase === "in") rememberLogin(asLastLogin(state.viewer));
    else if (state.phase === "out") rememberLogin(null);
  }, [state]);

  /** whose data this tab may still have: what was typed before a login ended by itself */
  const viewerId = useRef<string | null>(null);

  const checkRef = useRef<() => Promise<void>>(async () => {});
  const api = useMemo<Api>(() => {
    return createApi(
      () => {
        if (phase.current !== "in") return;
        forgetLoaded();
        setState({ phase: "out", reason: "ended" });
      },
      () => void checkRef.current(),
    );
    // eslint-disable-next-line react-hooks/exhaustive-deps -- `epoch` asks for a new client
  }, [epoch]);
  useEffect(() => () => api.end(), [api]);

  const check = useCallback(async () => {
    const result = await api.client.query(Viewer, {}, { requestPolicy: "network-only" }).toPromise();
    const me = result.data?.me;
    if (me) {
      const owner = acting();
      const memberships = result.data?.memberships;
      const another =
        (viewerId.current !== null && viewerId.current !== me.uuid) || (owner && owner.person !== me.uuid);
      if (
        !another &&
        owner &&
        memberships &&
        !memberships.some(({ ownerUuid }) => ownerUuid === owner.owner)
      ) {
        endActing(); // this page is left
        return;
      }
      viewerId.current = me.uuid;
      const installation = result.data?.installation ?? UNCHOSEN;
      const viewer: Viewer = { ...me, memberships: memberships ?? [], installation };
      if (another) {
        // Another tab has logged in as somebody else. The pages leave the screen with all that they have loaded.
        forgetAll();
        keepFor(me.uuid);
        setState({ phase: "starting" });
        setEpoch((value) => value + 1); // the new client asks again
      } else {
        keepFor(owner ? `${me.uuid} ${owner.owner}` : me.uuid);
        setState({ phase: "in", viewer });
      }
    } else if (isLoggedOut(result.error)) {
      // Whoever has logged out already has the reason for it.
      setState((before) =>
        before.phase === "out" ? before : { phase: "out", reason: before.phase === "in" ? "ended" : "none" },
      );
    } else if (result.error) {
      const problem = problemOf(result.error);
      setState((before) => (before.phase === "in" ? before : { phase: "unreachable", problem }));
    }
  }, [api]);
  useEffect(() => {
    checkRef.current = check;
  }, [check]);

  useEffect(() => {
    void check();
  }, [check]);

  // While the server can't be reached, the request is repeated until there is an answer.
  useEffect(() => {
    const timer = setInterval(() => {
      if (phase.current === "unreachable" || !connection.get().reachable) void checkRef.current();
    }, CHECK_AGAIN_MS);
    const online = () => void checkRef.current();
    window.addEventListener("online", online);
    return () => {
      clearInterval(timer);
      window.removeEventListener("online", online);
    };
  }, []);

  const forget = useCallback((reason: LogoutReason) => {
    forgetAll();
    viewerId.current = null;
    setState({ phase: "out", reason });
    setEpoch((value) => value + 1);
  }, []);

  const tabs = useTabs(
    useCallback(
      (message: TabMessage) => {
        if (message.kind === "logout" && phase.current === "in") forget(message.reason);
        // A tab that is logged in asks too: the browser's login may be another user's now.
        if (message.kind === "login" && phase.current === "in") void checkRef.current();
        if (message.kind === "login" && phase.current === "out") {
          forgetLoaded();
          setEpoch((value) => value + 1);
        }
      },
      [forget],
    ),
  );

  const login = useCallback(
    async (email: string, password: string, otp?: string) => {
      const problem = await openSession(email, password, otp);
      if (!problem) {
        tabs.current?.postMessage({ kind: "login" } satisfies TabMessage);
        // Whoever logs in again goes on for the same owner.
        if (acting()?.email.toLowerCase() !== email.toLowerCase()) forgetOwner();
        forgetLoaded();
        setEpoch((value) => value + 1); // the new client asks who is logged in; another user finds nothing of the last
      }
      return problem;
    },
    [tabs],
  );

  const logout = useCallback(
    async (reason: LogoutReason) => {
      await fetch("/console/session", { method: "DELETE", headers: CONSOLE_HEADERS }).catch(() => undefined);
      tabs.current?.postMessage({ kind: "logout", reason } satisfies TabMessage);
      forget(reason);
    },
    [forget, tabs],
  );

  const session = useMemo<Session>(() => ({ state, check, login, logout }), [state, check, login, logout]);
  return (
    <SessionContext value={session}>
      <Provider value={api.client}>{children}</Provider>
    </SessionContext>
  );
}

function asLastLogin({ roles, locale, installation }: Viewer): LastLogin {
  return {
    isAdmin: roles.includes("admin"),
    locale: locale ?? null,
    hasFeed: installation.modules.includes("events"),
  };
}

type TabMessage = { kind: "login" } | { kind: "logout"; reason: LogoutReason };

/** The channel to the console's other tabs. */
function useTabs(receive: (message: TabMessage) => void) {
  const channel = useRef<BroadcastChannel | null>(null);
  useEffect(() => {
    const opened = new BroadcastChannel("postern-console");
    opened.onmessage = (event: MessageEvent<TabMessage>) => receive(event.data);
    channel.current = opened;
    return () => opened.close();
  }, [receive]);
  return channel;
}

interface Envelope {
  message?: string | string[];
  code?: string;
}

async function openSession(email: string, password: string, otp?: string): Promise<Problem | null> {
  let response: Response;
  try {
    response = await fetch("/console/session", {
      method: "POST",
      headers: { ...CONSOLE_HEADERS, "Content-Type": "application/json" },
      body: JSON.stringify({ email, password, otp }),
    });
  } catch {
    return { code: NETWORK, message: "", fields: {} };
  }
  if (response.ok) return null;
  const body = (await response.json().catch(() => ({}))) as Envelope;
  const retryAfter = Number(response.headers.get("retry-after"));
  return {
    code: body.code ?? `http_${response.status}`,
    message: Array.isArray(body.message) ? body.message.join(" ") : (body.message ?? ""),
    requestId: response.headers.get("x-request-id") ?? undefined,
    retryAfter: retryAfter > 0 ? retryAfter : undefined,
    fields: {},
  };
}
