// Who is calling: somebody with a token or, without one, the login of the console in this browser, whose cookie no script
// can read. The service takes the cookie only together with the header below. The access token lies in sessionStorage, where it outlives a reload and ends with the tab. The
// refresh token lies in memory alone: a duplicated tab would copy it, and using it twice ends the login.
"use strict";

globalThis.postern = {
  url: location.pathname,
  events: new EventTarget(), // "session": somebody came or went; "answer": {cost, status, ms, bytes}
};

postern.session = (() => {
  const KEY = "postern.session";
  const EARLY = 30_000; // milliseconds before its end at which a token is renewed

  const FROM_COOKIE = { "x-postern-console": "1" };

  let viewer = null; // the email of the console's login; null: nobody, or not known
  let held = kept(); // {token, email, ends}; `ends` in milliseconds, null for an API token
  let renewal = null; // the refresh token
  let renewing = null;

  function kept() {
    try {
      return JSON.parse(sessionStorage.getItem(KEY));
    } catch {
      return null;
    }
  }

  function hold(next) {
    held = next;
    if (held) sessionStorage.setItem(KEY, JSON.stringify(held));
    else sessionStorage.removeItem(KEY);
    postern.events.dispatchEvent(new Event("session"));
  }

  // How a request says who sends it: the cookie goes along only if no credential is in the headers.
  function sender(headers) {
    if (headers.has("authorization")) return { credentials: "omit", headers };
    for (const [name, value] of Object.entries(FROM_COOKIE)) headers.set(name, value);
    return { credentials: "same-origin", headers };
  }

  async function send(query, variables, init) {
    const headers = { "content-type": "application/json", accept: "application/json", ...init.headers };
    const body = JSON.stringify({ query, variables });
    return fetch(postern.url, { method: "POST", credentials: init.credentials, headers, body });
  }

  // The `data` of a document; an Error with the service's own words if there is none.
  async function ask(query, variables, token) {
    const headers = token ? { authorization: `Bearer ${token}` } : {};
    const answer = await send(query, variables, { credentials: "omit", headers });
    const body = await answer.json().catch(() => ({}));
    if (body.errors || !body.data) throw new Error(body.errors?.[0]?.message ?? body.message ?? `HTTP ${answer.status}`);
    return body.data;
  }

  const TOKENS = "{ accessToken refreshToken expiresIn }";

  function take(tokens, email) {
    renewal = tokens.refreshToken;
    hold({ token: tokens.accessToken, email, ends: Date.now() + tokens.expiresIn * 1000 });
  }

  async function logIn(email, password) {
    const query = `mutation LogIn($input: Credentials!) { login(input: $input) ${TOKENS} }`;
    take((await ask(query, { input: { email, password } })).login, email);
  }

  async function useToken(token) {
    const { me } = await ask("query Me { me { email } }", {}, token);
    renewal = null;
    hold({ token, email: me.email, ends: null });
  }

  async function logOut() {
    const { token, ends } = held ?? {};
    renewal = null;
    hold(null);
    if (ends) await ask("mutation LogOut { logout }", {}, token).catch(() => {}); // it may have ended already
  }

  async function renew() {
    const query = `mutation Renew($input: Refresh!) { refresh(input: $input) ${TOKENS} }`;
    const { email } = held;
    try {
      take((await ask(query, { input: { refreshToken: renewal } })).refresh, email);
    } catch {
      renewal = null;
      hold(null);
    }
  }

  // Asks who is logged in at the console, and whether the service runs what is typed here.
  async function check() {
    const init = { credentials: "same-origin", headers: FROM_COOKIE };
    const answer = await send("query Me { me { email } }", undefined, init).catch(() => null);
    const body = answer ? await answer.json().catch(() => ({})) : {};
    viewer = body.data?.me?.email ?? null;
    if (body.errors?.some(({ extensions }) => extensions?.code === "document_not_allowed")) {
      postern.events.dispatchEvent(new Event("trusted-only"));
    }
    postern.events.dispatchEvent(new Event("session"));
  }

  function ending() {
    return Boolean(held?.ends) && held.ends - Date.now() < EARLY;
  }

  // The value of the Authorization header, or null for nobody.
  async function authorization() {
    if (ending() && renewal) {
      renewing ??= renew().finally(() => (renewing = null));
      await renewing;
    } else if (held?.ends && held.ends < Date.now()) {
      hold(null);
    }
    return held && `Bearer ${held.token}`;
  }

  // The console tells all its tabs of logins and logouts.
  new BroadcastChannel("postern-console").addEventListener("message", () => void check());

  return {
    logIn,
    useToken,
    logOut,
    authorization,
    sender,
    check,
    renewable: () => Boolean(renewal) && ending(),
    // For people: never the whole token. `token` is null for the console's login.
    shown() {
      if (held) return { email: held.email, token: `${held.token.slice(0, 4)}…${held.token.slice(-4)}` };
      return viewer && { email: viewer, token: null };
    },
  };
})();
