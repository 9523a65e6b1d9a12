import { Alert, Button, Text } from "@mantine/core";
import { Component, type ErrorInfo, type ReactNode } from "react";
import { useTranslation } from "../../i18n";

/** Keeps the navigation when a page fails, or when its files are gone because a new version was installed. */
export class PageBoundary extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override componentDidCatch(error: Error, info: ErrorInfo) {
    console.error(error, info.componentStack);
  }

  override render() {
    return this.state.failed ? <Failed /> : this.props.children;
  }
}

function Failed() {
  const { t } = useTranslation();
  return (
    <Alert role="alert" color="red" title={t("errors.pageTitle")}>
      <Text size="sm" mb="xs">
        {t("errors.pageText")}
      </Text>
      <Button variant="default" onClick={() => window.location.reload()}>
        {t("errors.reload")}
      </Button>
    </Alert>
  );
}
