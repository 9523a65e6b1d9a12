const texts = {
  eventSinks: {
    about:
      "Brokers that your events are published to, for programs that read all of them or keep them for long.",
    sink: "Sink",
    stream: "Stream",
    state: "State",
    lag: "Behind",
    rate: "Events/s",
    actions: "Actions",
    actionsOf: "Actions for {{name}}",
    everyType: "All types of events",
    whole: "Whole installation",
    more: "Show more",
    empty: "There is no event sink yet.",
    emptyHint: "A sink publishes your events to a stream of NATS JetStream.",
    health: {
      off: "Disabled",
      failing: "Failing",
      replaying: "Replaying",
      behind: "Behind",
      working: "Working",
      untried: "Nothing published yet",
    },
    offBecause: {
      "switched off": "It was disabled. New events wait in the feed until you enable it.",
      "its API token was revoked": "The API token that made it was revoked.",
      "the member who has made it was removed": "The member who made it was removed.",
    },
    story: {
      failing_one: "{{number}} attempt failed: {{error}}",
      failing_other: "{{number}} attempts in a row failed, the last one with: {{error}}",
      since: "The first one was at {{time}}.",
      next: "Next attempt: {{time}}.",
      published: "The broker has stored an event at {{time}}.",
      untried: "No event has been published yet.",
      missed_one: "{{number}} event was deleted from the feed before it could be published.",
      missed_other: "{{number}} events were deleted from the feed before they could be published.",
    },
    add: "New event sink",
    make: "Test and create",
    added: "The sink is made. It publishes what happens from now on.",
    edit: "Edit",
    editTitle: "Edit {{name}}",
    changed: "The sink is changed.",
    name: "Name",
    url: "Address",
    urlHint:
      "nats:// or, with TLS, tls://. It may have a user and a password. It is stored encrypted, and the connection is tested first.",
    urlKept:
      "Now {{url}}. Leave it empty to keep it. If you write another one, write the credentials again, too.",
    showUrl: "Show the address",
    credentials: "Credentials",
    credentialsHint:
      "The text of a credentials file of NATS, if the broker asks for one. It is stored encrypted.",
    credentialsKept: "Leave it empty to keep those that are stored.",
    subject: "Subject",
    subjectHint:
      "{owner} becomes your user id, {type} the type of the event, {subject} the kind of object that it is about.",
    makeStream: "Make the stream if it does not exist",
    makeStreamHint: "A stream that exists is not changed.",
    replicas: "Replicas of the stream",
    window: "Duplicate window in seconds",
    wrongNumber: "Write a whole number from 1 to {{most}}.",
    types: "Types of events",
    typesHint: "Leave it empty to publish all of them.",
    clearTypes: "Clear the types",
    noType: "No type matches.",
    query: "GraphQL document of the body",
    queryHint: "A subscription whose response is the body of each event. Empty: the documented shape.",
    wholeInstallation: "Events of all users",
    wholeHint: "The feed of every user is recorded for it, which costs room in the database.",
    test: "Publish a test event",
    testTitle: "Test event for {{name}}",
    testStored: "The broker has stored it as number {{sequence}} after {{milliseconds}} ms.",
    testFailed: "The broker has not stored it.",
    testSubject: "Subject: {{subject}}",
    tryNow: "Try again now",
    enable: "Enable",
    enabled: "{{name}} is tried at once.",
    switchOff: "Disable",
    offTitle: "Disable {{name}}?",
    offText:
      "Nothing is published any more. Events wait in the feed for as long as it keeps them, and come when you enable the sink.",
    nowOff: "{{name}} is disabled.",
    remove: "Delete",
    removeTitle: "Delete {{name}}?",
    removeText: "The stream stays at the broker, with the events that are in it. This can't be undone.",
    removed: "{{name}} is deleted.",
    replay: "Publish events again…",
    replayTitle: "Publish events again: {{name}}",
    replayText:
      "What the feed still has is published again, beside new events. They have the ids that they had, so the stream drops those that came within its duplicate window.",
    since: "From",
    typesOfSink: "Those of the sink",
    replaySubmit: "Publish again",
    replayed_one: "{{number}} event is looked at again.",
    replayed_other: "{{number}} events are looked at again.",
  },
};

export default texts;

declare module "../../../frame/i18n/catalogue" {
  interface Texts {
    eventSinks: typeof texts;
  }
}
