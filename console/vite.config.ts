import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { firstLoad } from "./tools/first-load.ts";
import { leanLibraries } from "./tools/lean-libraries.ts";
import { trustedDocuments } from "./tools/trusted-documents.ts";

// The server that the development server forwards to.
const backend = process.env.POSTERN_URL ?? "http://127.0.0.1:3000";

// What the first script needs must not bring React with it.
const EARLY_FILES =
  /vite\/preload-helper|\/src\/frame\/(api\/early|i18n\/languages|lastLogin|viewer|ui\/figures\/documents)\.ts$|\/src\/features\/overview\/(documents|early|range)\.ts$/;
// Libraries change less often than the console: after an update browsers have them already.
const LIBRARIES =
  /\/node_modules\/(react|react-dom|react-router|scheduler|urql|@urql|wonka|@0no-co|graphql-ws)\//;
const NO_ENTRY = /\/node_modules\/|\/src\/(?!main\.tsx|early\.ts)/;

export default defineConfig({
  base: "/console/",
  plugins: [leanLibraries(), trustedDocuments(), firstLoad(), react()],
  build: {
    target: "es2022",
    // The content security policy allows no script inside index.html.
    modulePreload: { polyfill: false },
    // The policy allows fonts and scripts only as files, so nothing may become a data: URL.
    assetsInlineLimit: 0,
    // The list of files that a page loads; `npm run sizes` reads it.
    manifest: "manifest.json",
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: "first", test: EARLY_FILES, priority: 2 },
            { name: "libraries", test: LIBRARIES, priority: 1 },
            // All else of the first page is one file, not twenty that wait for each other.
            { name: "console", tags: ["$initial"], test: NO_ENTRY, priority: 0 },
          ],
        },
      },
    },
  },
  server: {
    proxy: {
      "/graphql": { target: backend, ws: true },
      "/console/session": { target: backend },
    },
  },
});
