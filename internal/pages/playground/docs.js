import "@scalar/api-reference/style.css";
import "./docs.css";

// The pages' policy allows no code made from text, which zod, loaded below,
// would try.
globalThis.__zod_globalConfig = { jitless: true };

const { createApiReference } = await import("@scalar/api-reference");

// Everything that would reach another host is off: fonts, the request proxy,
// telemetry, the assistant and the vendor's own services.
createApiReference("#page", {
  url: "/openapi.json",
  servers: [{ url: location.origin }], // requests sent from the page stay on this server
  withDefaultFonts: false,
  telemetry: false,
  proxyUrl: "",
  agent: { disabled: true, hideAddApi: true },
  mcp: { disabled: true },
  externalUrls: { dashboardUrl: "", registryUrl: "", proxyUrl: "", apiBaseUrl: "" },
  showDeveloperTools: "never",
  hideClientButton: true,
  persistAuth: false, // a token typed here is forgotten with the page
});
