import type { OneProjectQuery } from "../../../gql/graphql";

/** A project as its page shows it. */
export type Project = NonNullable<OneProjectQuery["sendingProject"]>;
