// The audits of npm `graphql-http` against a server: `node audit.mjs <folder of node_modules> <url>`.
import { createRequire } from 'node:module';

const [folder, url] = process.argv.slice(2);
const { auditServer } = createRequire(`${folder}/`)('graphql-http');
const results = await auditServer({ url, fetchFn: fetch });
const shown = results.map(({ id, name, status, reason }) => ({ id, name, status, reason: reason ?? null }));
process.stdout.write(JSON.stringify(shown));
