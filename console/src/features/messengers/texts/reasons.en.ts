// Why an account is down, by the code of the reason, and what to do. Codes without a text show the server's sentence.
export default {
  banned: {
    why: "{{messenger}} has banned this account.",
    next: "Appeal in the app of {{messenger}}. When the account works there, start it again.",
  },
  account_locked: {
    why: "{{messenger}} has locked this account.",
    next: "Open the app on the phone and follow what it says. Then start the account again.",
  },
  account_deleted: {
    why: "The account was deleted at {{messenger}}.",
    next: "Connect another account, and delete this one here.",
  },
  session_revoked: {
    why: "The session was ended on the phone or another device.",
    next: "Start it, and log in again. Ask who removed the device.",
  },
  session_duplicated: {
    why: "{{messenger}} has ended the session because it was used from two places.",
    next: "Check that no second server uses this account. Then start it, and log in again.",
  },
  session_unknown: {
    why: "{{messenger}} does not know the session any more.",
    next: "Start it, and log in again.",
  },
  session_unreadable: {
    why: "The stored session can't be decrypted, because the server's secret key has changed.",
    next: "Log the account out, start it, and log in again.",
  },
  session_unusable: {
    why: "The stored session can't be used any more.",
    next: "Log the account out, start it, and log in again.",
  },
  flood_wait: {
    why: "{{messenger}} has seen too many attempts and makes this account wait.",
    next: "Wait until the time below, then start it. More attempts make the pause longer.",
  },
  phone_invalid: {
    why: "{{messenger}} does not accept the phone number.",
    next: "Check the number with its country code, and log in with the right one.",
  },
  phone_unoccupied: {
    why: "There is no {{messenger}} account with this phone number.",
    next: "Create the account in the app first, then start this one again.",
  },
  phone_flood: {
    why: "Too many codes were asked for with this phone number.",
    next: "Wait a day, or log in with a QR code.",
  },
  code_not_sent: {
    why: "{{messenger}} could not send the code.",
    next: "Start it again, or log in with a QR code.",
  },
  code_invalid: {
    why: "A wrong code was entered too often.",
    next: "Start it again. {{messenger}} then sends a new code.",
  },
  code_expired: {
    why: "The code was not used in time.",
    next: "Start it again, with the phone at hand.",
  },
  code_refused: {
    why: "{{messenger}} gives no pairing code for this phone number.",
    next: "Check the number, or log in with a QR code.",
  },
  password_invalid: {
    why: "A wrong cloud password was entered too often.",
    next: "Check the password in the app, then start it again.",
  },
  qr_expired: {
    why: "Nobody has used the code, several times in a row.",
    next: "Start it again when you have the phone at hand.",
  },
  connection_lost: {
    why: "The connection to {{messenger}} was lost.",
    next: "It tries again by itself, with growing pauses. If it lasts, check the proxy and the network of the server.",
  },
  connection_refused: {
    why: "{{messenger}} refuses the connection.",
    next: "Wait a few minutes and start it again. If it lasts, try another proxy.",
  },
  no_answer: {
    why: "{{messenger}} does not answer.",
    next: "It tries again by itself. If it lasts, check the proxy and the network of the server.",
  },
  messenger_unavailable: {
    why: "{{messenger}} can't be reached at the moment.",
    next: "It tries again by itself. If it lasts, check the proxy and the network of the server.",
  },
  proxy_invalid: {
    why: "The proxy of this account can't be used.",
    next: "Stop the account, set another proxy under “Proxy”, and start it.",
  },
  proxy_refused: {
    why: "The address of the proxy is not allowed.",
    next: "Set another proxy under “Proxy”, and start it.",
  },
  proxy_auth: {
    why: "The proxy refuses its user name and password.",
    next: "Set the proxy again with the right password under “Proxy”, and start it.",
  },
  proxy_unreachable: {
    why: "The proxy can't be reached.",
    next: "It tries again by itself. If it lasts, stop the account and set another proxy under “Proxy”.",
  },
  proxy_blocked: {
    why: "The proxy does not lead to {{messenger}}.",
    next: "Stop the account, set another proxy under “Proxy”, and start it.",
  },
  stream_replaced: {
    why: "Another program uses the session of this account.",
    next: "End the other program, then start it again.",
  },
  client_outdated: {
    why: "{{messenger}} wants a newer version of the driver.",
    next: "The operator updates the driver (make setup-whatsapp). Then start it again.",
  },
  driver_crashed: {
    why: "The driver of the account has crashed several times.",
    next: "Start it again. If it happens again, the operator finds the cause in the log.",
  },
  driver_missing: {
    why: "No server has the driver for this account.",
    next: "The operator installs it (docs: messenger accounts). Then start it again.",
  },
  driver_not_configured: {
    why: "The driver for this account is not configured.",
    next: "The operator completes its settings. Then start it again.",
  },
  driver_not_enabled: {
    why: "The driver for this account is not enabled any more.",
    next: "The operator enables it, or you add the account anew with another driver.",
  },
  bad_credentials: {
    why: "{{messenger}} refuses the operator's API credentials.",
    next: "The operator checks POSTERN_TELEGRAM_API_ID and POSTERN_TELEGRAM_API_HASH. Then start it again.",
  },
  credentials_missing: {
    why: "The account has no credentials.",
    next: "Enter them under “Settings”.",
  },
  credentials_refused: {
    why: "Meta refuses the access token: it is wrong or has expired.",
    next: "Make a token of a system user, which does not expire, and enter it under “Settings”.",
  },
  permission_missing: {
    why: "The access token lacks a permission.",
    next: "Give the system user whatsapp_business_messaging at Meta, make a token, and enter it under “Settings”.",
  },
  number_not_found: {
    why: "Meta does not know the phone number ID.",
    next: "Check it under WhatsApp → API Setup, and enter it under “Settings”.",
  },
  number_not_registered: {
    why: "The number is not registered with WhatsApp Cloud.",
    next: "Register it in the WhatsApp Manager, then start it again.",
  },
};
