import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants } from "node:zlib";
import type { Plugin } from "vite";

const EARLY = "src/early.ts";
// It stands in the page itself.
const STARTING = "src/starting.js";
// The chart is drawn after the numbers; with them it comes in the same round trip.
const AHEAD = ["src/features/overview/Chart.tsx"];
const COMPRESSED = /\.(js|css|svg|json)$/;
const WORTHWHILE = 1_000; // bytes; less fits into one packet anyway

/** What makes the first page come soon: a script of its own that asks for data, and files that are compressed already. */
export function firstLoad(): Plugin {
  let folder = "";
  let root = "";
  return {
    name: "postern-first-load",
    apply: "build",
    configResolved(config) {
      root = config.root;
      folder = join(config.root, config.build.outDir);
    },
    buildStart() {
      this.emitFile({ type: "chunk", id: EARLY, name: "early" });
    },
    transformIndexHtml: {
      order: "post",
      handler(_html, { bundle }) {
        const chunks = Object.values(bundle ?? {}).filter((one) => one.type === "chunk");
        const fileOf = (source: string) => {
          const found = chunks.find((one) => one.facadeModuleId?.endsWith(`/${source}`));
          if (!found) throw new Error(`The build has no chunk for ${source}.`);
          return `/console/${found.fileName}`;
        };
        return [
          {
            tag: "script",
            children: withoutComments(readFileSync(join(root, STARTING), "utf8")),
            injectTo: "head-prepend" as const,
          },
          {
            tag: "script",
            attrs: { type: "module", crossorigin: true, src: fileOf(EARLY) },
            injectTo: "head-prepend" as const,
          },
          ...AHEAD.map((source) => ({
            tag: "link",
            attrs: { rel: "modulepreload", crossorigin: true, href: fileOf(source) },
            injectTo: "head" as const,
          })),
        ];
      },
    },
    writeBundle(_options, bundle) {
      for (const name of Object.keys(bundle).filter((name) => COMPRESSED.test(name))) {
        const body = readFileSync(join(folder, name));
        if (body.length < WORTHWHILE) continue;
        const params = { [constants.BROTLI_PARAM_SIZE_HINT]: body.length };
        writeFileSync(join(folder, `${name}.br`), brotliCompressSync(body, { params })); // the best quality
      }
    },
  };
}

/** Returns a script without the lines that only people read. */
function withoutComments(script: string): string {
  return script.replace(/^ *\/\/.*\n/gm, "").replace(/^ +/gm, "");
}
