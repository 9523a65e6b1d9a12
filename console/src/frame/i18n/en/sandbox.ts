export default {
  sandbox: {
    label: "Sandbox",
    whole: "Nothing leaves this server: messages are charged and simulated, and nobody receives them.",
    wholeFree: "Nothing leaves this server: messages are simulated, and nobody receives them.",
    some: "{{sandboxed}}: nothing leaves this server, and nobody receives these messages. {{real}}: real.",
    toSet: "To send for real, an operator sets {{settings}} and restarts Postern.",
    before:
      "{{channel}} is a sandbox: nothing leaves this server, and nobody receives the message. It is charged, and its end is simulated.",
    beforeFree:
      "{{channel}} is a sandbox: nothing leaves this server, and nobody receives the message. Its end is simulated.",
    after: "{{channel}} is a sandbox: nothing has left this server, and nobody has received a message.",
    trial: "The sandbox has accepted it. Nothing has left this server, so no device shows it.",
    samples: "Sample recipients:",
    effects: { delivered: "delivered", failed: "fails", bounced: "bounces" },
    useList: "Use sample recipients",
    listHint: "Ten recipients of the sandbox: most are delivered, one fails, one bounces.",
  },
};
