import { List, Stack, Text, Title } from "@mantine/core";
import { Fragment } from "react";
import { textWithMarks } from "../../../../frame/values/marks";
import { useTranslation } from "../../../../frame/i18n";
import classes from "../approvals.module.css";
import { pairsOf, sorted, type Difference } from "../plan";
import { useValueText } from "../useValueText";
import { wordsOf, type Piece } from "../words";

interface Props {
  differences: readonly Difference[];
  currency: string | null;
  /** the level of the titles above texts; the page has the levels before it */
  order: 3 | 4;
}

/** In what two plans differ: texts old and new side by side, everything else in one line. */
export function Differences({ differences, currency, order }: Props) {
  const { t, textOr } = useTranslation();
  const valueText = useValueText();
  const { texts, lines } = sorted(differences);
  const nameOf = (field: string) => textOr(`approvals.fields.${field}`, field);
  return (
    <Stack gap="sm">
      {lines.length > 0 && (
        <List size="sm" spacing={4}>
          {lines.map(({ field, old, new: now }) => {
            const before = valueText(field, old, currency);
            const after = valueText(field, now, currency);
            return (
              <List.Item key={field} className={classes.change}>
                {nameOf(field)}:{" "}
                {before === after ? (
                  t(field === "audience" ? "approvals.samePeople" : "approvals.another", { value: after })
                ) : (
                  <>
                    <del>{before}</del> → <ins>{after}</ins>
                  </>
                )}
              </List.Item>
            );
          })}
        </List>
      )}
      {texts.map((difference) =>
        pairsOf(difference).map(({ old, now }, index, pairs) => (
          <section key={`${difference.field} ${index}`}>
            <Title order={order} size="sm" mb={4}>
              {nameOf(difference.field)}
              {pairs.length > 1 && ` ${index + 1}`}
            </Title>
            <Sides old={old} now={now} />
          </section>
        )),
      )}
    </Stack>
  );
}

/** Two texts side by side, with the words that only one of them has. */
function Sides({ old, now }: { old: string; now: string }) {
  const { t } = useTranslation();
  const words = wordsOf(textWithMarks(old), textWithMarks(now));
  return (
    <div className={classes.sides}>
      {(["old", "now"] as const).map((side) => (
        <div key={side}>
          <Text size="xs" c="dimmed" mb={2}>
            {t(`approvals.${side}`)}
          </Text>
          <pre className={classes.text} dir="auto">
            {words[side].length === 0 ? "–" : words[side].map((piece, index) => marked(piece, index, side))}
          </pre>
        </div>
      ))}
    </div>
  );
}

function marked({ text, changed }: Piece, index: number, side: "old" | "now") {
  if (!changed) return <Fragment key={index}>{text}</Fragment>;
  return side === "old" ? <del key={index}>{text}</del> : <ins key={index}>{text}</ins>;
}
