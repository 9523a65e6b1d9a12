// The console's login on this page. Routes of REST never take the console's cookie, so the page asks for an access token of the
// same login, which ends with it. The token lies in memory alone, is sent to this service alone, and only with requests
// for which nobody has entered a token.
"use strict";

globalThis.postern = {};

postern.session = (() => {
  const EARLY = 30_000; // milliseconds before its end at which a token is replaced
  let held = null; // {token, email, ends}; `ends` in milliseconds

  async function check() {
    try {
      const answer = await fetch("console/session/token", { method: "POST", headers: { "x-postern-console": "1" } });
      const { accessToken, email, expiresIn } = answer.status === 200 ? await answer.json() : {};
      held = accessToken ? { token: accessToken, email, ends: Date.now() + expiresIn * 1000 } : null;
    } catch {
      held = null; // the service does not answer
    }
    const bar = document.querySelector("#session");
    bar.hidden = !held;
    bar.querySelector("b").textContent = held?.email ?? "";
    return held?.token;
  }

  async function token() {
    return held && held.ends - Date.now() > EARLY ? held.token : check();
  }

  // Adds the login to a request that has none.
  async function authorize({ request }) {
    if (new URL(request.url).origin !== location.origin) return;
    const given = request.headers.get("authorization") ?? "";
    if (given && !/^Bearer\s*$/i.test(given)) return;
    const mine = await token();
    if (mine) request.headers.set("authorization", `Bearer ${mine}`);
  }

  // The console tells all its tabs of logins and logouts.
  new BroadcastChannel("postern-console").addEventListener("message", () => void check());
  return { check, authorize };
})();
