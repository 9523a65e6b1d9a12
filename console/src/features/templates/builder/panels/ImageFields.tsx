import { Checkbox, Group, TextInput } from "@mantine/core";
import { useTranslation } from "../../../../frame/i18n";
import { PicturePicker } from "../../../../frame/pictures/PicturePicker";
import classes from "../builder.module.css";
import { PixelField, UrlField, type Fields } from "./fields";

/** The widest picture of a letter, in pixels: the paper without its margins. */
const WIDEST = 520;

export function ImageFields({ node, set }: Fields) {
  const { t } = useTranslation();
  const { src, alt, width, href } = node.attrs as {
    src: string;
    alt: string | null;
    width: number | null;
    href: string;
  };
  return (
    <>
      <div>
        <UrlField
          label={t("templates.builder.pictureUrl")}
          value={src}
          onChange={(value) => set("src", value)}
        />
        <Group mt={6}>
          <PicturePicker
            onChoose={(picture) => {
              set("src", picture.url);
              set("width", picture.width < WIDEST ? Math.max(picture.width, 16) : null);
            }}
          />
        </Group>
      </div>
      <div>
        <TextInput
          size="xs"
          label={t("templates.builder.alt")}
          description={t("templates.builder.altHint")}
          maxLength={500}
          disabled={alt === ""}
          value={alt ?? ""}
          // An empty field has said nothing yet; that it is decoration is said below.
          onChange={(event) => set("alt", event.currentTarget.value || null)}
        />
        <Checkbox
          size="xs"
          mt={6}
          label={t("templates.builder.decoration")}
          checked={alt === ""}
          onChange={(event) => set("alt", event.currentTarget.checked ? "" : null)}
        />
      </div>
      <PixelField
        label={t("templates.builder.width")}
        value={width}
        least={16}
        most={600}
        placeholder={t("templates.builder.full")}
        onChange={(value) => set("width", value)}
      />
      <div className={classes.wide}>
        <UrlField label={t("templates.builder.url")} value={href} onChange={(value) => set("href", value)} />
      </div>
    </>
  );
}
