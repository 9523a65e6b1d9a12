// Stands for @0no-co/graphql.web in the built console (lean-libraries.ts).
import { GraphQLError, Kind } from "@0no-co/graphql.web";

export { GraphQLError, Kind };

/** Returns the text of a document of the built console, which has only its id (trusted-documents.ts). */
export function print(): string {
  return "";
}

export function parse(): never {
  throw new Error("A built console has no texts of documents.");
}
