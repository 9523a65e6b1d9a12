import { ActionIcon, Button, Input, TextInput } from "@mantine/core";
import { IconPlus, IconTrash } from "@tabler/icons-react";
import { useTranslation } from "../../../../frame/i18n";
import classes from "../builder.module.css";
import { safeUrl } from "../document/liquid";
import type { NamedLink } from "../document/schema";

const MOST = 12;

interface Props {
  links: readonly NamedLink[];
  onChange: (links: NamedLink[]) => void;
}

/** The links of a row, each with its text. */
export function LinkList({ links, onChange }: Props) {
  const { t } = useTranslation();
  const change = (index: number, values: Partial<NamedLink>) =>
    onChange(links.map((link, at) => (at === index ? { ...link, ...values } : link)));
  return (
    <Input.Wrapper label={t("templates.builder.links")} labelElement="div" className={classes.wide}>
      {links.map(({ text, url }, index) => {
        const number = index + 1;
        return (
          <div key={index} className={classes.links}>
            <TextInput
              size="xs"
              aria-label={t("templates.builder.linkText", { number })}
              placeholder="Instagram"
              maxLength={200}
              value={text}
              onChange={(event) => change(index, { text: event.currentTarget.value })}
            />
            <TextInput
              size="xs"
              aria-label={t("templates.builder.linkUrl", { number })}
              placeholder="https://"
              maxLength={2_000}
              spellCheck={false}
              value={url}
              error={url.trim() !== "" && safeUrl(url) === "" && t("templates.builder.badUrl")}
              onChange={(event) => change(index, { url: event.currentTarget.value })}
            />
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={t("templates.builder.dropLink", { number })}
              onClick={() => onChange(links.filter((_, at) => at !== index))}
            >
              <IconTrash size={14} />
            </ActionIcon>
          </div>
        );
      })}
      {links.length < MOST && (
        <Button
          variant="subtle"
          size="compact-xs"
          leftSection={<IconPlus size={12} />}
          onClick={() => onChange([...links, { text: "", url: "https://" }])}
        >
          {t("templates.builder.addLink")}
        </Button>
      )}
    </Input.Wrapper>
  );
}
