// Scalar with everything off that is not about reading and trying this service's operations. What it could still ask of
// other hosts, the page's Content-Security-Policy forbids.
"use strict";

// The answer comes before the long work of drawing the reference.
void postern.session.check();
Scalar.createApiReference("#reference", {
  url: "openapi.json",
  authentication: { preferredSecurityScheme: "bearer" },
  persistAuth: false, // a token stays in the memory of the tab
  telemetry: false,
  withDefaultFonts: false, // they are on Scalar's host
  showDeveloperTools: "never", // they share and deploy the document
  hideClientButton: true, // it opens the document on Scalar's host
  agent: { disabled: true },
  mcp: { disabled: true },
  orderSchemaPropertiesBy: "preserve",
  onRequestBuilt: postern.session.authorize,
});
