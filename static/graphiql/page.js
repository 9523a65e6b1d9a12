// Puts the page together: GraphiQL with its panels, the line under an answer, and the box to log in.
"use strict";

(() => {
  const h = React.createElement;
  const LOGGED_OUT = ["unauthenticated", "invalid_token", "session_ended"];
  const find = (selector) => document.querySelector(selector);

  // What an answer cost, under it.
  function Answer() {
    const [told, setTold] = React.useState(null);
    React.useEffect(() => {
      const listen = ({ detail }) => setTold(detail);
      postern.events.addEventListener("answer", listen);
      return () => postern.events.removeEventListener("answer", listen);
    }, []);
    if (!told) return h("p", { className: "answer" }, "Run a query: its cost stands here.");
    const { cost, status, ms, bytes, events } = told;
    const parts = [];
    if (cost?.actual !== undefined || cost?.requested !== undefined) {
      parts.push(h("b", { key: "cost" }, `cost ${number(cost.actual ?? cost.requested)}`));
      if (cost.requested !== undefined) parts.push(`might have been ${number(cost.requested)}`);
      if (cost.remaining !== undefined) parts.push(`${number(cost.remaining)} of ${number(cost.limit)} left`);
    }
    if (events !== undefined) parts.push(`${number(events)} event${events === 1 ? "" : "s"}`);
    if (status !== undefined && status !== 200) parts.push(`HTTP ${status}`);
    parts.push(ms < 10_000 ? `${Math.round(ms)} ms` : `${Math.round(ms / 1000)} s`);
    if (bytes !== undefined) parts.push(bytes < 2048 ? `${bytes} bytes` : `${(bytes / 1024).toFixed(1)} KiB`);
    return h("p", { className: "answer", role: "status" }, parts.flatMap((part, place) => (place ? [" · ", part] : [part])));
  }

  function number(value) {
    return typeof value === "number" ? value.toLocaleString("en") : String(value);
  }

  function showExplorer(examples) {
    const panels = [postern.examples(examples), GraphiQLPluginExplorer.explorerPlugin({ showAttribution: false })];
    if (localStorage.getItem("graphiql:visiblePlugin") === null) {
      localStorage.setItem("graphiql:visiblePlugin", "Examples");
    }
    ReactDOM.createRoot(find("#explorer")).render(
      h(
        GraphiQL,
        {
          fetcher: postern.fetcher,
          plugins: panels,
          defaultTabs: examples.slice(0, 2).map(({ query }) => ({ query })),
          defaultQuery: "",
          defaultEditorToolsVisibility: false,
          inputValueDeprecation: true,
          schemaDescription: true,
          shouldPersistHeaders: false, // a credential may stand there
        },
        h(GraphiQL.Logo, null, h("span", { className: "graphiql-name" }, "GraphiQL")),
        h(GraphiQL.Footer, null, h(Answer)),
      ),
    );
  }

  function watchSession() {
    const dialog = find("#login");
    const refused = find("#refused");

    function show() {
      const who = postern.session.shown();
      find("#who").textContent = who ? `${who.email} · ${who.token ?? "logged in by the console"}` : "";
      find("#who").hidden = !who;
      // The console's login ends at the console; here somebody may use another one instead of it.
      find("#leave").hidden = !who?.token;
      find("#enter").hidden = Boolean(who?.token);
      find("#enter").textContent = who ? "Use another login" : "Log in";
      find("#enter").classList.toggle("main", !who);
      find("#enter").classList.remove("wanted");
    }

    // Where Ctrl-Enter is heard: a button that is gone had the focus.
    function toEditor() {
      find(".graphiql-query-editor .CodeMirror")?.CodeMirror.focus();
    }

    async function submit(form, enter) {
      const button = form.querySelector("button");
      button.disabled = true;
      refused.hidden = true;
      try {
        await enter(Object.fromEntries(new FormData(form)));
        dialog.close();
        toEditor();
      } catch (error) {
        refused.textContent = error.message;
        refused.hidden = false;
      } finally {
        button.disabled = false;
      }
    }

    function enterBy(selector, enter) {
      find(selector).addEventListener("submit", (event) => {
        event.preventDefault();
        submit(event.target, enter);
      });
    }

    enterBy("#by-password", ({ email, password }) => postern.session.logIn(email, password));
    enterBy("#by-token", ({ token }) => postern.session.useToken(token.trim()));
    find("#enter").addEventListener("click", () => dialog.showModal());
    find("#leave").addEventListener("click", () => {
      postern.session.logOut();
      toEditor();
    });
    dialog.querySelector(".close").addEventListener("click", () => dialog.close());
    dialog.addEventListener("click", (event) => event.target === dialog && dialog.close()); // beside the box
    dialog.addEventListener("close", () => {
      refused.hidden = true;
      for (const form of dialog.querySelectorAll("form")) form.reset(); // no password stays in the page
    });
    postern.events.addEventListener("session", show);
    postern.events.addEventListener("trusted-only", () => (find("#trusted-only").hidden = false));
    postern.events.addEventListener("answer", async ({ detail }) => {
      if (detail.codes.includes("document_not_allowed")) find("#trusted-only").hidden = false;
      if (!detail.codes.some((code) => LOGGED_OUT.includes(code))) return;
      await postern.session.check(); // the console's login may have ended
      find("#enter").classList.add("wanted");
    });
    show();
    void postern.session.check();
  }

  watchSession();
  fetch(find("#explorer").dataset.examples, { credentials: "omit" })
    .then((answer) => answer.json())
    .catch(() => [])
    .then(showExplorer);
})();
