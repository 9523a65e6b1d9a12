import { Button } from "@mantine/core";
import { IconDownload, IconPrinter } from "@tabler/icons-react";
import { useTranslation } from "../i18n";
import { saveFile } from "../lists/saveFile";

interface Props {
  signed: { document: unknown; signature: string; keys: unknown; pageUrl: string };
  /** the name of the file, without its ending */
  name: string;
  texts: "statements" | "reconciliation";
  size?: "compact-sm";
}

/** Saves a signed document as a file that others can check, and opens its page to print. */
export function SignedButtons({
  signed: { pageUrl, document, signature, keys },
  name,
  texts,
  ...rest
}: Props) {
  const { t } = useTranslation();
  const save = () => {
    const content = JSON.stringify({ document, signature, keys }, null, 2);
    saveFile(`${name}.json`, content, "application/json");
  };
  const shared = { variant: "default", ...rest };
  return (
    <>
      <Button {...shared} leftSection={<IconDownload size={14} />} onClick={save}>
        {t(`${texts}.save`)}
      </Button>
      <Button
        {...shared}
        component="a"
        href={pageUrl}
        target="_blank"
        rel="noreferrer"
        leftSection={<IconPrinter size={14} />}
      >
        {t(`${texts}.print`)}
      </Button>
    </>
  );
}
