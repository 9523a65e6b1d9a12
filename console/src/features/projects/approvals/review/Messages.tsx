import { Alert, Paper, Text, Title } from "@mantine/core";
import { HtmlFrame } from "../../../../frame/ui/HtmlFrame";
import { textWithMarks, withMarks } from "../../../../frame/values/marks";
import { useTranslation } from "../../../../frame/i18n";
import classes from "../approvals.module.css";
import { documentOf, type Review } from "../plan";

/** The whole messages that three recipients of the plan get, and the texts before names are put into them. */
export function Messages({ review }: { review: Review }) {
  const { t } = useTranslation();
  const { content } = documentOf(review.plan);
  const { messages } = review;
  return (
    <Paper p="sm">
      <Title order={2} mb={4}>
        {t("approvals.messages")}
      </Title>
      <Text size="sm" c="dimmed" mb="sm">
        {t(messages.length > 0 ? "approvals.messagesText" : "approvals.noMessages", {
          count: messages.length,
        })}
      </Text>
      {messages.map((message, index) => (
        <Rendered
          key={index}
          message={message}
          title={t("approvals.messageTo", {
            number: index + 1,
            count: messages.length,
            to: withMarks(message.to),
          })}
        />
      ))}
      <Sources content={content} isOpen={messages.length === 0 || (content.variants?.length ?? 0) > 1} />
    </Paper>
  );
}

function Rendered({ message, title }: { message: Review["messages"][number]; title: string }) {
  const { t } = useTranslation();
  const { to, subject, body, html, missing } = message;
  return (
    <article className={classes.message} aria-label={title}>
      <Text size="xs" c="dimmed" mb={4}>
        {title}
      </Text>
      {subject && (
        <Text size="sm" fw={600} mb={4} dir="auto" ta="start" style={{ overflowWrap: "anywhere" }}>
          {withMarks(subject)}
        </Text>
      )}
      {html && <HtmlFrame html={html} title={t("approvals.htmlTo", { to })} />}
      {html && body && (
        <Text size="xs" c="dimmed" mt={6} mb={2}>
          {t("making.textPart")}
        </Text>
      )}
      {body && (
        <pre className={classes.text} dir="auto">
          {textWithMarks(body)}
        </pre>
      )}
      {missing.length > 0 && (
        <Alert color="orange" mt={6}>
          {t("approvals.missing", { names: missing.join(", ") })}
        </Alert>
      )}
    </article>
  );
}

/** The texts as they were written. Of several variants the three recipients may not have all. */
function Sources({
  content,
  isOpen,
}: {
  content: ReturnType<typeof documentOf>["content"];
  isOpen: boolean;
}) {
  const { t } = useTranslation();
  const { subject, text, html, variants, template } = content;
  const texts = variants?.length
    ? variants.map((variant, index) => ({
        title: t("approvals.variant", { number: index + 1, weight: variant.weight }),
        text: variant.text,
      }))
    : text
      ? [{ title: t("approvals.fields.text"), text }]
      : [];
  if (subject) texts.unshift({ title: t("approvals.fields.subject"), text: subject });
  if (html) texts.push({ title: "HTML", text: html });
  if (template)
    texts.push({
      title: t("approvals.fields.template"),
      text: [`${template.name} (${template.language})`, ...template.params].join("\n"),
    });
  return (
    <details className={classes.message} open={isOpen}>
      <summary>
        <Text span size="sm">
          {t("approvals.sources")}
        </Text>
      </summary>
      {texts.map(({ title, text: source }, index) => (
        <div key={index}>
          <Text size="xs" c="dimmed" mt={6} mb={2}>
            {title}
          </Text>
          <pre className={classes.text} dir="auto">
            {textWithMarks(source)}
          </pre>
        </div>
      ))}
    </details>
  );
}
