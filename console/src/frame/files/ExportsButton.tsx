import { Button, Modal, Select, Stack } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { useState } from "react";
import { useTranslation } from "../i18n";
import { useViewer } from "../session";
import { Exports } from "./Exports";
import { lastMonths } from "./months";

interface Props {
  /** the API's name of what is exported */
  source: string;
  title: string;
  /** over the files of the dialog */
  heading: string;
  /** shown while there is no file yet */
  empty: string;
  /** on the button that starts an export */
  label: string;
  /** which rows are exported */
  filters?: Record<string, string>;
  /** a month is chosen */
  byMonth?: boolean;
}

/** A button for a dialog that exports what a list shows. Who may not export does not see it. */
export function ExportsButton({
  source,
  title,
  heading,
  empty,
  label,
  filters = {},
  byMonth = false,
}: Props) {
  const { t, language } = useTranslation();
  const { may } = useViewer();
  const [open, setOpen] = useState(false);
  const [month, setMonth] = useState("");
  if (!may("exports:write")) return null;
  return (
    <>
      <Button variant="default" leftSection={<IconDownload size={14} />} onClick={() => setOpen(true)}>
        {title}
      </Button>
      {open && (
        <Modal
          opened
          onClose={() => setOpen(false)}
          title={title}
          closeButtonProps={{ "aria-label": t("common.close") }}
        >
          <Stack gap="sm">
            {byMonth && (
              <Select
                label={t("exports.month")}
                allowDeselect={false}
                data={[{ value: "", label: t("exports.allMonths") }, ...lastMonths(language, new Date())]}
                value={month}
                onChange={(value) => setMonth(value ?? "")}
              />
            )}
            <Exports
              title={heading}
              empty={empty}
              sources={[{ source, label }]}
              where={{ source: { eq: source } }}
              filters={{ ...filters, ...(month && { month }) }}
            />
          </Stack>
        </Modal>
      )}
    </>
  );
}
