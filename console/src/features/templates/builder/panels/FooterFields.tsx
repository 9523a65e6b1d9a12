import { Button, Group, Text, Textarea, TextInput } from "@mantine/core";
import { useTranslation } from "../../../../frame/i18n";
import classes from "../builder.module.css";
import type { NamedLink } from "../document/schema";
import type { House } from "../document/starters";
import { LinkList } from "./LinkList";
import type { Fields } from "./fields";

export function FooterFields({ node, set, house }: Fields & { house: House }) {
  const { t } = useTranslation();
  const { address, imprint, unsubscribe } = node.attrs as Record<string, string>;
  const hasBrand = Boolean(house.address || house.imprint || house.links.length > 0);
  return (
    <>
      <Group className={classes.wide} gap="xs">
        <Button
          variant="default"
          size="xs"
          disabled={!hasBrand}
          onClick={() => {
            set("address", house.address);
            set("imprint", house.imprint);
            set("links", house.links);
          }}
        >
          {t("templates.builder.fromBrand")}
        </Button>
        {!hasBrand && (
          <Text size="xs" c="dimmed">
            {t("templates.builder.noBrand")}
          </Text>
        )}
      </Group>
      <Textarea
        size="xs"
        autosize
        minRows={2}
        maxLength={2_000}
        label={t("templates.builder.address")}
        value={address ?? ""}
        onChange={(event) => set("address", event.currentTarget.value)}
      />
      <Textarea
        size="xs"
        autosize
        minRows={2}
        maxLength={5_000}
        label={t("templates.builder.imprint")}
        value={imprint ?? ""}
        onChange={(event) => set("imprint", event.currentTarget.value)}
      />
      <TextInput
        size="xs"
        maxLength={200}
        label={t("templates.builder.unsubscribe")}
        description={t("templates.builder.unsubscribeHint")}
        value={unsubscribe ?? ""}
        onChange={(event) => set("unsubscribe", event.currentTarget.value)}
      />
      <LinkList links={node.attrs.links as NamedLink[]} onChange={(links) => set("links", links)} />
    </>
  );
}
