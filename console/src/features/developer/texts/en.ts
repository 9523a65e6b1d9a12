import hooks from "./hooks.en";

const texts = {
  developer: {
    title: "For developers",
    baseUrl: "Base address",
    userId: "Your user id",
    openGraphiql: "Open GraphiQL",
    openDocs: "Open the REST reference",
    loggedIn: "Both use this login. There is nothing to enter.",
    first: "First requests",
    firstText: "Programs send an API token. Put yours into the variable TOKEN; if you have none, make one:",
    curlMe: "Who am I?",
    curlSend: "Send an email to the sandbox",
    curlGraphql: "The same service in GraphQL",
    sandbox: "Sandbox recipients",
    sandboxText:
      "The sandbox sends nothing. What happens to a message depends on its recipient, so you can try every outcome. It costs what a message costs.",
    sandboxIsReal:
      "This channel has a real provider. Messages go there, and these recipients are nobody's: use another channel to try.",
    recipient: "Recipient",
    whatHappens: "What happens",
    sendOne: "Send one",
    sendTo: "Send one to {{recipient}}",
    effects: {
      delivered: "Sent, and delivered shortly after.",
      failed: "Refused at once, and refunded.",
      bounced: "Sent, then bounces, and is refunded.",
      flaky: "Fails once for a moment, then is delivered.",
      throttled: "Throttled once for a second, then sent.",
      timeout: "Accepted, but the answer is lost. Postern asks again, and it is sent.",
      slow: "Sent after two seconds.",
      silent: "Never answered: nobody knows, so it is “unknown”.",
    },
  },
  tokens: {
    about:
      "An API token lets a program act for you, without your password. It is sent as “Authorization: Bearer …”.",
    new: "New API token",
    newTitle: "New API token",
    name: "Name",
    nameHint: "What you recognise it by, such as “nightly export”.",
    life: "Valid for",
    lives: { "30": "30 days", "90": "90 days", "365": "One year", never: "Never expires" },
    endsAt: "It ends on {{time}}.",
    endless: "It works until you revoke it.",
    powers: "It may do everything that you may do.",
    create: "Create",
    show: "Show",
    revokedOnes: "Revoked ones",
    hint: "Ends in",
    created: "Created",
    expires: "Expires",
    expired: "Expired",
    revokedAt: "Revoked",
    revoke: "Revoke",
    revokeOf: "Revoke {{name}}",
    revokeTitle: "Revoke {{name}}?",
    revokeText: "Programs that use it are refused from now on. This can't be undone.",
    revoked: "{{name}} is revoked.",
    empty: "You have no API token. Create one for each program, so that you can revoke each by itself.",
    noneRevoked: "No token was revoked.",
    shownTitle: "Your new API token",
    tryIt: "Try it",
  },
  hookSecrets: {
    about:
      "Engines that send for you report what became of your messages (POST /delivery-hook). They prove that it is you: by a signature made with a secret or, if they can't sign, by a key in the address.",
    rotate: "New secret",
    createKey: "New key",
    kind: "Kind",
    kinds: { secret: "Signing secret", key: "Key in the address" },
    ends: "Ends in",
    revokeOf: "Revoke the one that ends in {{hint}}",
    rotateTitle: "Make a new signing secret?",
    rotateText:
      "The secret before it stays valid, so your engines can change one after the other. An older one ends at once.",
    keyTitle: "Make a key?",
    keyText:
      "Proxies may write addresses into their logs, and the key with them. Use a signature if your engine can sign.",
    revokeTitle: "Revoke the one that ends in {{hint}}?",
    revokeText: "Reports that are proved with it are refused from now on. This can't be undone.",
    shown: { secret: "Your new signing secret", key: "Your new key" },
    empty: "There is no secret and no key yet. Make a secret, and give it to the engine that reports to you.",
    noneRevoked: "None was revoked.",
    exampleTitle: "How an engine reports",
    signedExample: "With a signature (Standard Webhooks)",
    keyedExample: "With a key",
  },
  feed: {
    live: "Live",
    types: "All types",
    off: "Nothing is recorded yet. Switch the event feed on, and everything that happens to your messages, projects and accounts appears here, and can be read by programs and sent to webhooks.",
    enable: "Record events",
    disable: "Stop recording",
    disableTitle: "Stop recording?",
    disableText:
      "The events that are recorded are deleted, and programs that read them can't go on where they were.",
    state_one: "The feed has {{number}} event. It keeps each for {{days}} days, and {{limit}} at most.",
    state_other: "The feed has {{number}} events. It keeps each for {{days}} days, and {{limit}} at most.",
    nearlyFull: "The feed is nearly full. Soon the oldest events are deleted before somebody has read them.",
    type: "Type",
    pause: "Pause",
    resume: "Go on",
    clear: "Clear the view",
    waiting: "Waiting for events. They appear here as they happen.",
    paused: "Paused. Events that happen meanwhile come when you go on.",
    makeSome: "Make some: send a message to a sandbox recipient",
    search: "A type, or what happens",
    when: "When it happens",
    data: "Fields of its data",
    noType: "No type matches.",
  },
  ...hooks,
};

export default texts;

declare module "../../../frame/i18n/catalogue" {
  interface Texts {
    developer: typeof texts;
  }
}
