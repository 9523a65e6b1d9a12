import type { OneUserQuery } from "../../gql/graphql";

/** A user as their page shows them. */
export type OneUserData = NonNullable<OneUserQuery["user"]>;
