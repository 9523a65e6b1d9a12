import "@mantine/core/styles/ColorPicker.css";
import "@mantine/core/styles/ColorSwatch.css";
import "@mantine/core/styles/ColorInput.css";
import "@mantine/core/styles/Fieldset.css";
import "@mantine/core/styles/Switch.css";
import {
  ActionIcon,
  Button,
  ColorInput,
  Fieldset,
  Select,
  Stack,
  Switch,
  Text,
  Textarea,
  TextInput,
} from "@mantine/core";
import { IconPlus, IconX } from "@tabler/icons-react";
import type { ReactNode } from "react";
import type { RequestForm } from "../../frame/form/useRequestForm";
import { useTranslation } from "../../frame/i18n";
import { useFormat } from "../../frame/values/format";
import classes from "./brand.module.css";
import { FONTS, PARTS, type Draft } from "./draft";
import { LogoField } from "./LogoField";
import type { PreviewState } from "./usePreview";

const MOST_LINKS = 10;
const MOST_FOOTERS = 30;

interface Props {
  form: RequestForm<Draft>;
  writes: boolean;
  contrasts: PreviewState["contrasts"];
}

/** The fields of the brand. */
export function BrandForm({ form, writes, contrasts }: Props) {
  const { t } = useTranslation();
  const { ownDark, links, footers } = form.getValues();
  return (
    <fieldset disabled={!writes} style={{ all: "unset", display: "block" }}>
      <Stack gap="sm">
        <TextInput
          label={t("brand.name")}
          withAsterisk
          description={t("brand.nameHint")}
          maxLength={100}
          {...form.getInputProps("name")}
        />
        <LogoField form={form} writes={writes} />
        <Colors form={form} field="colors" contrasts={contrasts} />
        <Switch
          label={t("brand.ownDark")}
          description={t("brand.ownDarkHint")}
          {...form.getInputProps("ownDark", { type: "checkbox" })}
        />
        {ownDark && <Colors form={form} field="darkColors" contrasts={contrasts} />}
        <Select
          label={t("brand.font")}
          allowDeselect={false}
          data={FONTS.map((value) => ({ value, label: t(`brand.fonts.${value}`) }))}
          {...form.getInputProps("font")}
        />
        <Fieldset legend={t("brand.below")}>
          <Stack gap="sm">
            <Textarea
              label={t("brand.address")}
              autosize
              minRows={2}
              maxLength={500}
              {...form.getInputProps("address")}
            />
            <Textarea
              label={t("brand.imprint")}
              description={t("brand.imprintHint")}
              autosize
              minRows={2}
              maxLength={5000}
              {...form.getInputProps("imprint")}
            />
            <Lines
              title={t("brand.links")}
              add={t("brand.addLink")}
              most={MOST_LINKS}
              count={links.length}
              onAdd={() => form.insertListItem("links", { text: "", url: "" })}
            >
              {links.map((_, number) => (
                <div key={number} className={classes.line}>
                  <TextInput
                    aria-label={`${t("brand.linkText")} ${number + 1}`}
                    placeholder={t("brand.linkText")}
                    maxLength={60}
                    {...form.getInputProps(`links.${number}.text`)}
                  />
                  <TextInput
                    aria-label={`${t("brand.linkUrl")} ${number + 1}`}
                    placeholder="https://example.com/privacy"
                    maxLength={2000}
                    {...form.getInputProps(`links.${number}.url`)}
                  />
                  <Remove
                    label={t("brand.removeLink", { number: number + 1 })}
                    onClick={() => form.removeListItem("links", number)}
                  />
                </div>
              ))}
            </Lines>
            <Lines
              title={t("brand.footers")}
              hint={t("brand.footersHint")}
              add={t("brand.addFooter")}
              most={MOST_FOOTERS}
              count={footers.length}
              onAdd={() => form.insertListItem("footers", { locale: "", text: "" })}
            >
              {footers.map((_, number) => (
                <div key={number} className={classes.line}>
                  <TextInput
                    aria-label={`${t("brand.footerLocale")} ${number + 1}`}
                    placeholder="en"
                    maxLength={64}
                    {...form.getInputProps(`footers.${number}.locale`)}
                  />
                  <Textarea
                    aria-label={`${t("brand.footerText")} ${number + 1}`}
                    placeholder={t("brand.footerText")}
                    autosize
                    maxLength={2000}
                    {...form.getInputProps(`footers.${number}.text`)}
                  />
                  <Remove
                    label={t("brand.removeFooter", { number: number + 1 })}
                    onClick={() => form.removeListItem("footers", number)}
                  />
                </div>
              ))}
            </Lines>
          </Stack>
        </Fieldset>
        <TextInput
          type="email"
          label={t("brand.reply")}
          description={t("brand.replyHint")}
          maxLength={320}
          {...form.getInputProps("replyAddress")}
        />
      </Stack>
    </fieldset>
  );
}

/** The colors of light or of dark pages, and how legible they are. */
function Colors({
  form,
  field,
  contrasts,
}: {
  form: RequestForm<Draft>;
  field: "colors" | "darkColors";
  contrasts: PreviewState["contrasts"];
}) {
  const { t } = useTranslation();
  const format = useFormat();
  const own = contrasts.filter((each) => each.field === field);
  return (
    <Fieldset legend={t(`brand.${field}`)}>
      <div className={classes.colors}>
        {PARTS.map((part) => (
          <ColorInput
            key={part}
            label={t(`brand.parts.${part}`)}
            format="hex"
            maxLength={7}
            withEyeDropper={false}
            {...form.getInputProps(`${field}.${part}`)}
          />
        ))}
      </div>
      {own.length > 0 && (
        <ul className={classes.contrasts} aria-label={t("brand.contrasts")} aria-live="polite">
          {own.map(({ text, on, ratio, enough }) => (
            <li key={text}>
              {t("brand.contrast", {
                text: t(`brand.contrastFirst.${text as "text" | "accent" | "buttonText"}`),
                on: t(`brand.contrastOn.${on as "background" | "accent"}`),
                ratio: format.number(ratio),
              })}{" "}
              <Text span size="sm" fw={600}>
                {enough ? "✓" : "✗"} {t(enough ? "brand.enough" : "brand.tooLow")}
              </Text>
            </li>
          ))}
        </ul>
      )}
    </Fieldset>
  );
}

interface LinesProps {
  title: string;
  hint?: string;
  add: string;
  most: number;
  count: number;
  onAdd: () => void;
  children: ReactNode;
}

function Lines({ title, hint, add, most, count, onAdd, children }: LinesProps) {
  return (
    <div role="group" aria-label={title}>
      <Text size="sm" fw={500}>
        {title}
      </Text>
      {hint && (
        <Text size="xs" c="dimmed">
          {hint}
        </Text>
      )}
      <Stack gap="xs" mt={4}>
        {children}
        {count < most && (
          <Button
            variant="default"
            size="xs"
            w="max-content"
            leftSection={<IconPlus size={14} />}
            onClick={onAdd}
          >
            {add}
          </Button>
        )}
      </Stack>
    </div>
  );
}

function Remove({ label, onClick }: { label: string; onClick: () => void }) {
  return (
    <ActionIcon variant="subtle" color="gray" size="lg" aria-label={label} onClick={onClick}>
      <IconX size={16} />
    </ActionIcon>
  );
}
