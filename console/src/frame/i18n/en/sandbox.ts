export default {
  sandbox: {
    label: "Test mode",
    only: "{{channels}}: test",
    several: "Test mode: {{number}} of {{of}} channels",
    whole: "Nothing leaves this machine: messages by {{sandboxed}} are simulated, and nobody receives them.",
    some: "{{sandboxed}}: nothing leaves this machine, messages are simulated, and nobody receives them. {{real}}: real.",
    setUp: "Set up a provider",
    ask: "To send for real, ask an administrator to set up a provider.",
    simulated: "simulated",
    before:
      "{{channel}} is a sandbox: nothing leaves this server, and nobody receives the message. It is charged, and its end is simulated.",
    beforeFree:
      "{{channel}} is a sandbox: nothing leaves this server, and nobody receives the message. Its end is simulated.",
    after: "{{channel}} is a sandbox: nothing has left this server, and nobody has received a message.",
    trial: "Simulated: the sandbox has taken it. Nothing has left this server, so no device shows it.",
    samples: "Sample recipients:",
    effects: { delivered: "delivered", failed: "fails", bounced: "bounces" },
    useList: "Use sample recipients",
    listHint: "Ten recipients of the sandbox: most are delivered, one fails, one bounces.",
  },
};
