// Who is calling. The access token lies in sessionStorage, where it outlives a reload and ends with the tab. The
// refresh token lies in memory alone: a duplicated tab would copy it, and using it twice ends the login.
"use strict";

globalThis.postern = {
  url: location.pathname,
  events: new EventTarget(), // "session": somebody came or went; "answer": {cost, status, ms, bytes}
};

postern.session = (() => {
  const KEY = "postern.session";
  const EARLY = 30_000; // milliseconds before its end at which a token is renewed

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

  // The `data` of a document; an Error with the service's own words if there is none.
  async function ask(query, variables, token) {
    const headers = { "content-type": "application/json", accept: "application/json" };
    if (token) headers.authorization = `Bearer ${token}`;
    const answer = await fetch(postern.url, {
      method: "POST",
      credentials: "omit",
      headers,
      body: JSON.stringify({ query, variables }),
    });
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

  return {
    logIn,
    useToken,
    logOut,
    authorization,
    renewable: () => Boolean(renewal) && ending(),
    // For people: never the whole token.
    shown: () => held && { email: held.email, token: `${held.token.slice(0, 4)}…${held.token.slice(-4)}` },
  };
})();
