// How a document reaches the service: queries and mutations by POST, subscriptions by a WebSocket (graphql-transport-ws).
"use strict";

postern.fetcher = (() => {
  const { parse } = GraphiQL.GraphQL;

  // What the Headers editor has wins over who is logged in.
  async function headersOf(given) {
    const headers = new Headers();
    const authorization = await postern.session.authorization();
    if (authorization) headers.set("authorization", authorization);
    for (const [name, value] of Object.entries(given ?? {})) headers.set(name, String(value));
    return headers;
  }

  function tell(body, detail) {
    const codes = (body.errors ?? []).map((error) => error.extensions?.code);
    const event = new CustomEvent("answer", { detail: { cost: body.extensions?.cost, codes, ...detail } });
    postern.events.dispatchEvent(event);
  }

  // What a variable of the examples may say in place of an id. It is looked up at each run.
  const newest = {
    "the newest draft project": {
      query: "{ found: sendingProjects(first: 1, where: { status: { eq: draft } }) { nodes { uuid } } }",
      missing: "There is no draft project yet. Run “A new project” first.",
    },
    "the newest messenger account": {
      query: "{ found: messengerAccounts(first: 1) { nodes { uuid } } }",
      missing: "There is no messenger account yet. Run “A new messenger account” first.",
    },
  };

  // The variables with ids in them. Throws an Error that says what to do, or the answer of a refused look.
  async function filled(variables, headers) {
    const made = { ...variables };
    for (const [name, value] of Object.entries(made)) {
      const wanted = typeof value === "string" && Object.hasOwn(newest, value) ? newest[value] : null;
      if (!wanted) continue;
      const body = JSON.stringify({ query: wanted.query });
      const answer = await (await fetch(postern.url, { method: "POST", ...postern.session.sender(headers), body })).json();
      if (answer.errors) throw answer;
      made[name] = answer.data.found.nodes[0]?.uuid;
      if (!made[name]) throw new Error(wanted.missing);
    }
    return made;
  }

  async function post(params, given) {
    const headers = await headersOf(given);
    headers.set("content-type", "application/json");
    headers.set("accept", "application/graphql-response+json, application/json");
    try {
      params = params.variables ? { ...params, variables: await filled(params.variables, headers) } : params;
    } catch (error) {
      if (error.errors) {
        tell(error, {});
        return { errors: error.errors };
      }
      const message = error instanceof TypeError ? "The service does not answer. Is it running?" : error.message;
      return { errors: [{ message }] };
    }
    const begun = performance.now();
    let answer, text;
    try {
      const body = JSON.stringify(params);
      answer = await fetch(postern.url, { method: "POST", ...postern.session.sender(headers), body });
      text = await answer.text();
    } catch {
      return { errors: [{ message: "The service does not answer. Is it running?" }] };
    }
    const ms = performance.now() - begun;
    let body;
    try {
      body = JSON.parse(text);
    } catch {
      body = { errors: [{ message: `HTTP ${answer.status} ${answer.statusText}, and no JSON` }] };
    }
    if (params.operationName !== "IntrospectionQuery") {
      tell(body, { status: answer.status, ms, bytes: new TextEncoder().encode(text).length });
    }
    return body;
  }

  // One connection a subscription, so that each has the credential of when it began. The browser sends the console's cookie
  // with the handshake by itself; a credential in `connectionParams` comes first.
  async function* subscribe(params, given) {
    const url = new URL(postern.url, location.href);
    url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
    const client = graphqlWs.createClient({
      url: url.href,
      connectionParams: async () => Object.fromEntries(await headersOf(given)),
      retryAttempts: 5,
      shouldRetry: ({ code }) => !(code >= 4400 && code < 4500) || (code === 4403 && postern.session.renewable()),
    });
    const begun = performance.now();
    let events = 0;
    try {
      for await (const result of client.iterate(params)) {
        tell(result, { events: ++events, ms: performance.now() - begun });
        yield result;
      }
    } catch (error) {
      const errors = Array.isArray(error) ? error : [explained(error)];
      tell({ errors }, { events, ms: performance.now() - begun });
      yield { errors };
    } finally {
      client.dispose();
    }
  }

  function explained(closed) {
    const reason = closed.reason ? ` (${closed.reason})` : "";
    if (closed.code === 4401 || closed.code === 4403) {
      const message = `The subscription was refused${reason}. Log in at the top right, and run it again.`;
      return { message, extensions: { code: "unauthenticated" } };
    }
    return { message: closed.code ? `The connection was closed: ${closed.code}${reason}` : String(closed.message ?? closed) };
  }

  // GraphiQL looks at the editor with a delay, and may ask for an operation that was there a moment ago.
  function operationOf({ query, operationName }) {
    try {
      const operations = parse(query).definitions.filter(({ kind }) => kind === "OperationDefinition");
      const named = operations.find(({ name }) => name?.value === operationName);
      return named ?? (operations.length === 1 ? operations[0] : null);
    } catch {
      return null; // the service says what is wrong with it
    }
  }

  return (params, { headers } = {}) => {
    const operation = operationOf(params);
    const asked = { ...params, operationName: operation ? operation.name?.value : params.operationName };
    return operation?.operation === "subscription" ? subscribe(asked, headers) : post(asked, headers);
  };
})();
