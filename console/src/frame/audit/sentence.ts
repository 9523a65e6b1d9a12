/** What a sentence about an entry is made of. */
export interface Told {
  /** a key of `audit.sentences.wholes`: the whole deed; null: `verb` and an object */
  whole: string | null;
  /** a key of `audit.sentences.verbs` */
  verb: string;
  /** the fields that were changed; empty if that says nothing, as of what was made */
  fields: string[];
  /** the name that the changes have of the object */
  name: string | null;
}

interface Entry {
  operation: string;
  changes: unknown;
}

const WHOLES: Readonly<Record<string, string>> = {
  "console.log_in": "log_in",
  "console.demo_login": "log_in",
  "auth.login": "log_in",
  "auth.exchange": "log_in",
  "console.log_out": "log_out",
  "auth.logout": "log_out",
  "auth.logout_everywhere": "log_out_everywhere",
  "auth.change_password": "change_password",
  "auth.reset_password": "reset_password",
  "auth.accept_invitation": "accept_invitation",
  "auth.register": "register",
};
const VERBS: Readonly<Record<string, string>> = {
  ask: "ask",
  decide: "decide",
  withdraw: "withdraw",
  start: "start",
  stop: "stop",
  stop_multiple: "stop",
  retry: "retry",
  retry_multiple: "retry",
  duplicate: "duplicate",
  block: "block",
  block_many: "block",
  unblock: "unblock",
  unblock_many: "unblock",
  revoke: "revoke",
  revoke_hook_secret: "revoke",
  rotate: "rotate",
  rotate_hook_secret: "rotate",
  suspend: "suspend",
  activate: "activate",
  invite: "invite",
  merge: "merge",
  verify: "verify",
  upload: "upload",
  erase: "erase",
  credit: "credit",
  enable: "enable",
  disable: "disable",
  publish: "publish",
  archive: "archive",
  unarchive: "unarchive",
};
const NAMES = ["name", "displayName", "shortcut", "key"];
const STAMPS: ReadonlySet<string> = new Set(["updatedAt", "createdAt"]);
const HASH = /^hmac:/;

/** Returns what an entry of the audit tells: a deed of its own, or what the name of its operation says. */
export function toldBy({ operation, changes }: Entry): Told {
  const pairs = pairsOf(changes);
  const whole = WHOLES[operation] ?? null;
  const known = VERBS[operation.slice(operation.lastIndexOf(".") + 1)];
  // By the values alone a first value of a field would make an object, and a row that is only marked would not go.
  const verb = known ?? byName(operation);
  // That it was changed now is said by the entry itself.
  const fields = verb === "change" ? pairs.map(([field]) => field).filter((field) => !STAMPS.has(field)) : [];
  return { whole, verb, fields, name: nameIn(pairs) };
}

function byName(operation: string): string {
  const word = operation.slice(operation.lastIndexOf(".") + 1);
  if (/^(create|add|put|upsert|request|sign_up|make)/.test(word)) return "create";
  if (/^(delete|remove|clear)/.test(word)) return "delete";
  return "change";
}

function pairsOf(changes: unknown): [string, unknown, unknown][] {
  if (typeof changes !== "object" || changes === null) return [];
  return Object.entries(changes).map(([field, pair]) => {
    const [before, after] = Array.isArray(pair) ? (pair as unknown[]) : [null, pair];
    return [field, before ?? null, after ?? null];
  });
}

function nameIn(pairs: readonly [string, unknown, unknown][]): string | null {
  for (const name of NAMES) {
    const [, before, after] = pairs.find(([field]) => field === name) ?? [];
    const value = after ?? before;
    if (typeof value === "string" && value && !HASH.test(value)) return value;
  }
  return null;
}

const PAGES: Readonly<Record<string, (id: string) => string>> = {
  project: (id) => `/projects/${id}`,
  repeatable: (id) => `/repeatable/${id}`,
  approval: (id) => `/approvals/${id}`,
  contact: (id) => `/contacts/${id}`,
  topic: (id) => `/contacts/topics/${id}`,
  segment: (id) => `/contacts/segments/${id}`,
  template: (id) => `/templates/${id}`,
  series: (id) => `/series/${id}`,
  domain: (id) => `/domains/${id}`,
  webhook: (id) => `/webhooks/${id}`,
  account: (id) => `/accounts/${id}`,
  messengerAccount: (id) => `/messengers/${id}`,
  priceList: (id) => `/tariffs/lists/${id}`,
};

/** Returns the page of an object; null: it has none. */
export function pageOf(type: string, id: string | null | undefined): string | null {
  return id ? (PAGES[type]?.(id) ?? null) : null;
}
