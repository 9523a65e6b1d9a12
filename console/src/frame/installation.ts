// Nothing here needs React: the script that runs first reads it.
import type { Module, Purpose, ViewerQuery } from "../gql/graphql";

/** What the installation is for, the modules that are on, and whether messages cost money. */
export type Installation = NonNullable<ViewerQuery["installation"]>;

export const PURPOSES: readonly Purpose[] = ["campaigns", "answers", "api", "resale"];
export const MODULES: readonly Module[] = ["people", "messengers", "mail", "trade", "events"];

/** What holds until somebody has chosen, and if the server does not say it: everything is on. */
export const UNCHOSEN: Installation = { modules: [...MODULES], billing: "prepaid", purposes: [] };
