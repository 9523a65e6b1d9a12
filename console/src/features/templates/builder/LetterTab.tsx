import "@mantine/core/styles/Checkbox.css";
import "@mantine/core/styles/Divider.css";
import "@mantine/core/styles/NumberInput.css";
import { Alert, Button, Loader, Stack, Text } from "@mantine/core";
import { useLoaded } from "../../../frame/api/useLoaded";
import { useTranslation } from "../../../frame/i18n";
import { useViewer } from "../../../frame/session";
import { Builder } from "./Builder";
import classes from "./builder.module.css";
import { houseOf, NO_HOUSE } from "./document/house";
import { schema } from "./document/schema";
import { sourceOf } from "./document/source";
import { emptyLetter, startedLetter, STARTERS, type House, type Starter } from "./document/starters";
import { BrandOfLetter } from "./documents";

/** A letter that was begun: with a starter come a subject, a preheader and values for the preview. */
export interface Begun {
  source: string;
  subject: string;
  preheader: string;
  testData: Readonly<Record<string, unknown>>;
}

interface Props {
  /** what is stored of the letter; empty: there is none yet */
  source: string;
  /** which letter it is: another one is opened anew */
  revision: string;
  locale: string;
  hasHtml: boolean;
  variables: readonly { name: string; label: string | null }[];
  onBegin: (begun: Begun) => void;
  onChange: (source: string) => void;
}

/** The letter of a text: the builder, or the letters to begin with. */
export default function LetterTab({ source, revision, locale, hasHtml, variables, ...on }: Props) {
  const { t } = useTranslation();
  const house = useHouse();
  if (!house) return <Loader size="sm" aria-label={t("common.loading")} />;
  if (source) {
    return (
      <Builder
        key={revision}
        source={source}
        locale={locale}
        house={house}
        variables={variables}
        onChange={on.onChange}
      />
    );
  }
  return <Starters locale={locale} house={house} hasHtml={hasHtml} onBegin={on.onBegin} />;
}

/** The brand of the viewer; null while it is loading. Who may not see it writes without one. */
function useHouse(): House | null {
  const may = useViewer().may("settings:read");
  const { data, loading } = useLoaded(BrandOfLetter, {}, !may);
  if (!may) return NO_HOUSE;
  if (!data && loading) return null;
  return houseOf(data?.brand ?? null);
}

interface StarterProps {
  locale: string;
  house: House;
  hasHtml: boolean;
  onBegin: (begun: Begun) => void;
}

function Starters({ locale, house, hasHtml, onBegin }: StarterProps) {
  const { t } = useTranslation();
  function begin(starter: Starter | "empty") {
    const { letter, ...rest } =
      starter === "empty"
        ? { letter: emptyLetter(locale, house), subject: "", preheader: "", testData: {} }
        : startedLetter(starter, locale, house);
    onBegin({ source: sourceOf(schema.nodeFromJSON(letter)), ...rest });
  }
  return (
    <Stack gap="xs" component="section" aria-label={t("templates.builder.begin")}>
      <Text size="sm">{t("templates.builder.beginHint")}</Text>
      {hasHtml && <Alert color="orange">{t("templates.builder.beginReplaces")}</Alert>}
      <div className={classes.starters}>
        {(["empty", ...STARTERS] as const).map((starter) => (
          <Button key={starter} variant="default" onClick={() => begin(starter)}>
            {t(`templates.builder.starters.${starter}`)}
          </Button>
        ))}
      </div>
    </Stack>
  );
}
