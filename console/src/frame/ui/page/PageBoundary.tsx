import { Alert, Button, Text } from "@mantine/core";
import { Component, type ErrorInfo, type ReactNode } from "react";
import { NewVersion } from "../../api/consoleFiles";
import { useTranslation } from "../../i18n";

/** Keeps the navigation when a page fails, or when its files are gone because a new version was installed. */
export class PageBoundary extends Component<{ children: ReactNode }, { error: unknown }> {
  override state: { error: unknown } = { error: null };

  static getDerivedStateFromError(error: unknown) {
    return { error: error ?? new Error("unknown") };
  }

  override componentDidCatch(error: Error, info: ErrorInfo) {
    console.error(error, info.componentStack);
  }

  override render() {
    const { error } = this.state;
    return error === null ? this.props.children : <Failed isNewVersion={error instanceof NewVersion} />;
  }
}

function Failed({ isNewVersion }: { isNewVersion: boolean }) {
  const { t } = useTranslation();
  return (
    <Alert
      role="alert"
      color={isNewVersion ? "blue" : "red"}
      title={t(isNewVersion ? "errors.newVersionTitle" : "errors.pageTitle")}
    >
      <Text size="sm" mb="xs">
        {t(isNewVersion ? "errors.newVersionText" : "errors.pageText")}
      </Text>
      <Button variant="default" onClick={() => window.location.reload()}>
        {t("errors.reload")}
      </Button>
    </Alert>
  );
}
