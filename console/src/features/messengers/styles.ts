// The styles of Mantine's components that only these pages use.
import "@mantine/core/styles/Checkbox.css";
import "@mantine/core/styles/NumberInput.css";
import "@mantine/core/styles/Progress.css";
import "@mantine/core/styles/Radio.css";
import "@mantine/core/styles/Switch.css";
import "@mantine/core/styles/Tabs.css";
