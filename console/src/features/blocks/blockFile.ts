import type { Client, OperationResult } from "urql";
import { newIdempotencyKey, withIdempotencyKey } from "../../frame/api/client";
import { problemOf, type Problem } from "../../frame/api/errors";
import { isProblem, uploadList } from "../../frame/files/upload";
import type { BlockMany, BlockPhonesMutation, BlockScope } from "../../gql/graphql";
import { BlockFile, BlockPhones, ForgetBlockFile, ReadBlockFile } from "./documents";

const POLL_MS = 700;

export interface Outcome {
  added: number;
  changed: number;
  unchanged: number;
  invalid: number;
  /** the first lines that can't be read, and why */
  samples: readonly { line: number; message: string }[];
}

export type Step =
  | { kind: "upload"; share: number }
  | { kind: "read"; lines: number }
  | { kind: "block"; done: number; total: number };

/** Thrown with what the server refused; the dialog shows it. */
export class Refused extends Error {
  constructor(readonly problem: Problem) {
    super(problem.message);
  }
}

/** Uploads a file of addresses, has it read, and blocks its lines part by part. Throws Refused. */
export async function blockFile(
  client: Client,
  file: File,
  scope: BlockScope,
  onStep: (step: Step) => void,
): Promise<Outcome> {
  const uploaded = await uploadList(client, file, (share) => onStep({ kind: "upload", share }));
  if (isProblem(uploaded)) throw new Refused(uploaded);
  const made = await client
    .mutation(ReadBlockFile, { input: { fileUuid: uploaded.uuid } }, withIdempotencyKey(newIdempotencyKey()))
    .toPromise();
  if (!made.data?.importRecipients) throw refusal(made.error);
  const id = made.data.importRecipients.uuid;
  try {
    const list = await readLines(client, id, onStep);
    const outcome = await blockLines(client, id, scope, list.valid, onStep);
    return {
      ...outcome,
      invalid: list.invalid,
      samples: (list.rows?.nodes ?? []).map(({ line, error }) => ({ line, message: error?.message ?? "" })),
    };
  } finally {
    // A list of people who want no messages must not be offered as recipients of a project.
    await client.mutation(ForgetBlockFile, { id, file: uploaded.uuid }).toPromise();
  }
}

async function readLines(client: Client, id: string, onStep: (step: Step) => void) {
  for (;;) {
    const { data, error } = await client
      .query(BlockFile, { id }, { requestPolicy: "network-only" })
      .toPromise();
    const list = data?.recipientImport;
    if (!list) throw refusal(error);
    if (list.status === "ready") return list;
    if (list.status === "failed")
      throw new Refused({ code: "import_failed", message: list.statusReason ?? "", fields: {} });
    onStep({ kind: "read", lines: list.total });
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

async function blockLines(
  client: Client,
  id: string,
  scope: BlockScope,
  total: number,
  onStep: (step: Step) => void,
) {
  const sum = { added: 0, changed: 0, unchanged: 0 };
  let after: number | null = 0;
  while (after !== null) {
    const { added, changed, unchanged } = sum;
    onStep({ kind: "block", done: added + changed + unchanged, total });
    const input: BlockMany = { importUuid: id, scope, afterLine: after };
    const { data, error }: OperationResult<BlockPhonesMutation> = await client
      .mutation(BlockPhones, { input }, withIdempotencyKey(newIdempotencyKey()))
      .toPromise();
    const part = data?.blockPhones;
    if (!part) throw refusal(error);
    sum.added += part.added;
    sum.changed += part.changed;
    sum.unchanged += part.unchanged;
    after = part.nextLine ?? null;
  }
  return sum;
}

function refusal(error: Parameters<typeof problemOf>[0] | undefined): Refused {
  return new Refused(error ? problemOf(error) : { code: "network", message: "", fields: {} });
}
