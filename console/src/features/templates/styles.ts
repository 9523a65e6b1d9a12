// The styles of Mantine's components that the first page does not load.
import "@mantine/core/styles/Switch.css";
import "@mantine/core/styles/Tabs.css";
