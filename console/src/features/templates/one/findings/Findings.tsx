import { List, Paper, Text, Title } from "@mantine/core";
import { useTranslation } from "../../../../frame/i18n";
import { fileSize } from "../../../../frame/files/fileSize";
import classes from "../../templates.module.css";
import type { TextDraft } from "../draft";
import type { Finding } from "./findings";
import { Lacking } from "./Lacking";

/** What a reader would stumble over. It forbids nothing. */
export function Findings({ findings, text }: { findings: readonly Finding[]; text: TextDraft }) {
  const { t, language } = useTranslation();
  const sentence = (finding: Finding) => {
    switch (finding.kind) {
      case "missing":
        return t("templates.findings.missing", {
          count: finding.names.length,
          names: finding.names.join(", "),
        });
      case "alt":
        return t("templates.findings.alt", { count: finding.count });
      case "examples":
        return t("templates.findings.examples", { links: finding.links.join(", ") });
      case "links":
        return t("templates.findings.links", { links: finding.links.join(", ") });
      case "size":
        return t("templates.findings.size", { size: fileSize(finding.bytes, language) });
      default:
        return t(`templates.findings.${finding.kind}`);
    }
  };
  return (
    <Paper p="sm" component="section" aria-label={t("templates.problems")}>
      <Title order={2} mb="xs">
        {t("templates.problems")}
      </Title>
      <div role="status">
        {findings.length === 0 ? (
          <Text size="sm" c="dimmed">
            {t("templates.noProblem")}
          </Text>
        ) : (
          <List size="sm" className={classes.anywhere}>
            {findings.map((finding) => (
              <List.Item key={finding.kind}>{sentence(finding)}</List.Item>
            ))}
          </List>
        )}
        <Lacking text={text} />
      </div>
    </Paper>
  );
}
