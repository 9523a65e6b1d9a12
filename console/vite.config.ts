import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { trustedDocuments } from "./tools/trusted-documents.ts";

// The server that the development server forwards to.
const backend = process.env.POSTERN_URL ?? "http://127.0.0.1:3000";

export default defineConfig({
  base: "/console/",
  plugins: [trustedDocuments(), react()],
  build: {
    target: "es2022",
    // The content security policy allows no script inside index.html.
    modulePreload: { polyfill: false },
    // The policy allows fonts and scripts only as files, so nothing may become a data: URL.
    assetsInlineLimit: 0,
    // The list of files that a page loads; `npm run sizes` reads it.
    manifest: "manifest.json",
  },
  server: {
    proxy: {
      "/graphql": { target: backend, ws: true },
      "/console/session": { target: backend },
    },
  },
});
