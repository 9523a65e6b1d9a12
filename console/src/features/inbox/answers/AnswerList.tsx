import { Text, UnstyledButton } from "@mantine/core";
import { useTranslation } from "../../../frame/i18n";
import { textWithMarks, withMarks } from "../../../frame/values/marks";
import classes from "../inbox.module.css";
import type { Answer } from "./answers";

interface Props {
  id: string;
  answers: readonly Answer[];
  loading: boolean;
  current: number;
  onChoose: (answer: Answer) => void;
  onManage: () => void;
}

/** The canned answers that match what is typed after `/`, above the field. */
export function AnswerList({ id, answers, loading, current, onChoose, onManage }: Props) {
  const { t } = useTranslation();
  return (
    <div className={classes.answers}>
      <ul id={id} role="listbox" aria-label={t("inbox.answers.title")} className={classes.plain}>
        {answers.map((answer, index) => (
          <li
            key={answer.uuid}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === current}
            className={classes.answer}
            // The field keeps the focus.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => onChoose(answer)}
          >
            <b>/{withMarks(answer.shortcut)}</b>
            <span className={classes.ellipsis} dir="auto">
              {textWithMarks(answer.text)}
            </span>
          </li>
        ))}
      </ul>
      {answers.length === 0 && !loading && (
        <Text size="sm" c="dimmed" px={10} py={4} role="status">
          {t("inbox.answers.none")}
        </Text>
      )}
      <UnstyledButton
        className={classes.manage}
        onMouseDown={(event) => event.preventDefault()}
        onClick={onManage}
      >
        {t("inbox.answers.manage")}
      </UnstyledButton>
    </div>
  );
}
