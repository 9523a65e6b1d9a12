// Fails if src/gql is not what the documents in src and ../schema.graphql generate.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const fresh = mkdtempSync(join(tmpdir(), "postern-gql-"));
try {
  execFileSync("npx", ["--no-install", "graphql-codegen", "--config", "codegen.ts"], {
    env: { ...process.env, CODEGEN_OUT: `${fresh}/` },
    stdio: ["ignore", "ignore", "inherit"],
  });
  const stale = readdirSync(fresh).filter((name) => {
    try {
      return readFileSync(join(fresh, name), "utf8") !== readFileSync(join("src/gql", name), "utf8");
    } catch {
      return true;
    }
  });
  if (stale.length > 0) {
    console.error(`src/gql is not current (${stale.join(", ")}). Run: npm run codegen`);
    process.exitCode = 1;
  }
} finally {
  rmSync(fresh, { recursive: true, force: true });
}
