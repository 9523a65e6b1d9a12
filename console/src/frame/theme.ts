import { Alert, Badge, createTheme, type MantineColorsTuple } from "@mantine/core";

// Around #0b5cad, the color of the icon.
const postern: MantineColorsTuple = [
  "#ebf4fc",
  "#d5e5f5",
  "#a7caec",
  "#76ade3",
  "#4f95dc",
  "#3785d8",
  "#2777cc",
  "#0b5cad",
  "#0a5097",
  "#05437f",
];

export const theme = createTheme({
  primaryColor: "postern",
  primaryShade: { light: 7, dark: 6 },
  colors: { postern },
  autoContrast: true,
  defaultRadius: "sm",
  cursorType: "pointer",
  focusRing: "auto",
  respectReducedMotion: true,
  fontFamily:
    '"Inter Variable", system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", sans-serif',
  fontFamilyMonospace: 'ui-monospace, "SF Mono", Menlo, Consolas, "Liberation Mono", monospace',
  fontSizes: { xs: "0.75rem", sm: "0.8125rem", md: "0.875rem", lg: "1rem", xl: "1.125rem" },
  headings: {
    fontWeight: "600",
    sizes: { h1: { fontSize: "1.25rem" }, h2: { fontSize: "0.9375rem" }, h3: { fontSize: "0.875rem" } },
  },
  components: {
    // A span has no role, so the label of a loader would not be read out.
    Loader: { defaultProps: { role: "img" } },
    // The color is a hint, and the text stays easy to read.
    Alert: Alert.extend({
      vars: (_theme, { color = "postern" }) => ({
        root: {
          "--alert-bg": `color-mix(in srgb, var(--mantine-color-${color}-6) 8%, transparent)`,
          "--alert-bd": `1px solid color-mix(in srgb, var(--mantine-color-${color}-6) 35%, transparent)`,
          "--alert-color": `color-mix(in srgb, var(--mantine-color-${color}-6) 55%, var(--console-ink))`,
        },
      }),
    }),
    Badge: Badge.extend({
      vars: (_theme, { color = "postern" }) => ({
        root: {
          "--badge-bg": `color-mix(in srgb, var(--mantine-color-${color}-6) 14%, transparent)`,
          "--badge-color": `color-mix(in srgb, var(--mantine-color-${color}-6) 55%, var(--console-ink))`,
          "--badge-fz": "0.6875rem",
        },
      }),
    }),
    // A breadcrumb is a name that somebody wrote, so it may be longer than a phone is wide.
    Breadcrumbs: { styles: { breadcrumb: { whiteSpace: "normal", overflowWrap: "anywhere" } } },
    Button: { defaultProps: { size: "xs" } },
    TextInput: { defaultProps: { size: "sm" } },
    Select: { defaultProps: { size: "sm", comboboxProps: { transitionProps: { duration: 0 } } } },
    Modal: {
      defaultProps: {
        transitionProps: { duration: 0 },
        centered: true,
        // The header of a dialog is not a second banner of the page.
        attributes: { header: { role: "none" } },
      },
    },
    // Menus stay beside their buttons in the document, inside of the landmarks.
    Menu: {
      defaultProps: {
        transitionProps: { duration: 0 },
        position: "bottom-end",
        withinPortal: false,
        withInitialFocusPlaceholder: false,
      },
    },
    Popover: { defaultProps: { withinPortal: false } },
    Paper: { defaultProps: { withBorder: true } },
  },
});
