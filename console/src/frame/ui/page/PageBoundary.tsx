import { Alert, Button, Text } from "@mantine/core";
import { Component, useState, type ErrorInfo, type ReactNode } from "react";
import { NewVersion, reloadOnce } from "../../api/newVersion";
import { useTranslation } from "../../i18n";
import { Waiting } from "./Waiting";

interface Props {
  children: ReactNode;
  /** what is shown in place of a part that failed; without it, a page says what to do */
  instead?: ReactNode;
}

/** Keeps the navigation when a page fails, or when its files are gone because a new version was installed. */
export class PageBoundary extends Component<Props, { error: unknown }> {
  override state: { error: unknown } = { error: null };

  static getDerivedStateFromError(error: unknown) {
    return { error: error ?? new Error("unknown") };
  }

  override componentDidCatch(error: Error, info: ErrorInfo) {
    console.error(error, info.componentStack);
  }

  override render() {
    const { error } = this.state;
    if (error === null) return this.props.children;
    if (this.props.instead !== undefined) return this.props.instead;
    return error instanceof NewVersion ? <Outdated /> : <Failed isNewVersion={false} />;
  }
}

/** A page of the new version: it is loaded at once, because nothing of the old one is there. */
function Outdated() {
  const [reloading] = useState(reloadOnce);
  return reloading ? <Waiting /> : <Failed isNewVersion />;
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
