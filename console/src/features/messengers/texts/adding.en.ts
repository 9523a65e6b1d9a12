// Texts of adding an account, and of its settings.
export default {
  fields: {
    login: "Login",
    name: "Display name",
    optionalName: "Display name (optional)",
    phone: "Phone number",
    code: "Code",
    password: "Cloud password",
    optionalProxy: "Proxy (optional)",
  },
  help: {
    login:
      "What the API calls the account: its phone number, or a short name of your choice. It can't be changed.",
    sandboxLogin:
      "Any name. Some numbers have a meaning: +1 500 555 1030 asks for a cloud password, +1 500 555 1040 is banned.",
    name: "What people see in lists, such as “Support Berlin”.",
  },
  way: {
    label: "How to log in",
    qr: "Scan a QR code with the phone",
    telegram: "Enter a code that Telegram sends to the phone",
    whatsapp: "Enter a pairing code on the phone",
  },
  addAndStart: "Add and connect",
  saved: "Saved.",
  notEnabled: "not enabled",
  drivers: {
    telegram: "Telegram, as a linked device",
    whatsapp: "WhatsApp, as a linked device",
    whatsapp_cloud: "WhatsApp Cloud API",
    sandbox: "Sandbox: nothing leaves the service",
  },
  kinds: {
    telegram: {
      title: "Telegram",
      text: "Your own account, as one more device of it. You need the phone of the account.",
      enable:
        "The operator creates an application at my.telegram.org (API development tools) and sets POSTERN_TELEGRAM_API_ID and POSTERN_TELEGRAM_API_HASH.",
    },
    whatsapp: {
      title: "WhatsApp",
      text: "Your own account, as a linked device. WhatsApp may ban numbers for this: use one that you can afford to lose.",
      enable:
        "The operator installs the driver (make setup-whatsapp) and sets POSTERN_WHATSAPP_DRIVER=whatsapp.",
    },
    whatsapp_cloud: {
      title: "WhatsApp Cloud",
      text: "Meta's official API, for businesses. You need an app at developers.facebook.com; no phone is needed.",
      enable: "The operator sets POSTERN_WHATSAPP_DRIVER=whatsapp-cloud.",
    },
    sandbox: {
      title: "{{messenger}} sandbox",
      text: "A simulated messenger to try things out. A simulated person scans the QR code; nothing leaves the service.",
    },
  },
  cloud: {
    title: "Credentials of Meta",
    replace:
      "They are never shown. To change one, enter all four. A connected account connects again with them.",
    phoneNumberId: {
      label: "Phone number ID",
      where: "In Meta's app dashboard under WhatsApp → API Setup. It is not the phone number itself.",
    },
    accessToken: {
      label: "Access token",
      where:
        "Of a system user with the permission whatsapp_business_messaging; it does not expire. The token of API Setup lasts one day.",
    },
    appSecret: { label: "App secret", where: "In Meta's app dashboard under App settings → Basic." },
    verifyToken: {
      label: "Verify token",
      where: "Any text of your own. You enter the same text in Meta's webhook configuration.",
    },
  },
  callback: {
    title: "Webhook at Meta",
    text: "So that messages come in: enter this callback URL at Meta under WhatsApp → Configuration.",
    url: "callback URL",
    rest: "The verify token is the one that you have entered here. Subscribe to the field “messages”.",
  },
};
