import type { ExportFormat } from "../../gql/graphql";

export const FORMATS: readonly ExportFormat[] = ["csv", "xlsx", "ndjson"];

export interface ExportSource {
  /** the API's name of what is exported */
  source: string;
  label: string;
}
