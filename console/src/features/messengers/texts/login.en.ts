// Texts of the login, step by step.
export default {
  qr: "QR code for the login",
  scan: "On your phone",
  pairing: "Pairing code",
  enterOnPhone: "On the phone with the number {{phone}}",
  copyCode: "Copy the code",
  validity: "How long the code is valid",
  validFor: "Valid for {{duration}}, then another one appears here.",
  nextCode: "The code has expired. The next one appears in a moment.",
  renews: "It is renewed by itself.",
  byItself: "This page goes on by itself when the phone has accepted.",
  steps: {
    qr: {
      telegram: {
        one: "Open Telegram on the phone of this account.",
        two: "Tap Settings → Devices → Link Desktop Device.",
        three: "Point the phone at this code.",
      },
      whatsapp: {
        one: "Open WhatsApp on the phone of this account.",
        two: "Tap Settings → Linked devices → Link a device. On Android, Settings is in the menu ⋮.",
        three: "Point the phone at this code.",
      },
    },
    pairing: {
      telegram: {
        one: "Open Telegram on the phone of this account.",
        two: "Tap Settings → Devices → Link Desktop Device.",
        three: "Enter this code.",
      },
      whatsapp: {
        one: "Open WhatsApp and tap Settings → Linked devices → Link a device.",
        two: "Tap “Link with phone number instead”.",
        three: "Enter this code.",
      },
    },
  },
  enter: {
    code: {
      title: "Enter the code from {{messenger}}",
      text: "{{messenger}} has sent it to {{phone}}: as a message in the app on another device, or else by SMS.",
    },
    password: {
      title: "Enter the cloud password",
      text: "The account has a two-step verification. Its password was set in {{messenger}} under Settings → Privacy and Security. Postern does not store it.",
    },
    phone: {
      title: "Log in with a phone number",
      telegram: "Telegram sends a code to this phone, which you enter here.",
      whatsapp: "You get a code here, and enter it on the phone with this number.",
    },
  },
  wrong: {
    code: "This code is wrong. Check the newest message from {{messenger}} and enter it again.",
    password: "This password is wrong. If you have forgotten it, reset it in {{messenger}}.",
  },
  attempts_one: "{{count}} attempt left. After it, the login has to be started again.",
  attempts_other: "{{count}} attempts left",
  confirm: "Confirm",
  getCode: { telegram: "Send the code", whatsapp: "Show a pairing code" },
  otherWay: "Not possible with this phone?",
  useQr: "Log in with a QR code",
  usePhone: "Log in with a phone number",
  otherPhone: "Use another phone number",
  nextByQr: "A new login shows a QR code.",
  nextByPhone: "A new login uses the phone +{{phone}}.",
  method: {
    title: "How it logs in",
    text: "Used when the account is not logged in. Changing it begins a new login.",
    working: "The account is logged in. Log it out first to use another way.",
  },
};
