import { Anchor, Breadcrumbs, Stack } from "@mantine/core";
import { Link, useSearchParams } from "react-router";
import { useTranslation } from "../../../frame/i18n";
import { UploadFile } from "../../../frame/lists/UploadFile";
import { useChangeParams } from "../../../frame/search/useChangeParams";
import { PageHead } from "../../../frame/ui/page/PageHead";
import { Narrow } from "../../../frame/ui/page/Narrow";
import { usePageTitle } from "../../../frame/ui/page/usePageTitle";
import { ContactColumns } from "./ContactColumns";
import { ContactResult } from "./ContactResult";

/** A list of people becomes contacts: a file, what its columns are, and what has become of its rows. */
export default function ImportPage() {
  const { t } = useTranslation();
  const [params] = useSearchParams();
  const change = useChangeParams();
  const file = params.get("file");
  const list = params.get("list");
  usePageTitle(t("contactLists.title"));
  const other = () => change({ file: null, list: null, header: null });
  const topicUuids = params.get("topic")?.split(",") ?? [];
  return (
    <Stack gap={8}>
      <Breadcrumbs>
        <Anchor component={Link} to="/contacts" size="sm">
          {t("nav.contacts")}
        </Anchor>
      </Breadcrumbs>
      <PageHead title={t("contactLists.title")} about={t("contactLists.about")} />
      <Narrow>
        {list ? (
          <ContactResult
            key={list}
            uuid={list}
            onAgain={file ? () => change({ list: null }) : undefined}
            onOther={other}
            topicUuids={topicUuids}
            headerRow={Number(params.get("header")) || null}
            onSubscribed={(uuid, chosen) => change({ list: uuid, topic: chosen.join(",") })}
          />
        ) : file ? (
          <ContactColumns
            key={file}
            file={file}
            onRead={(uuid, chosen, header) =>
              change({
                list: uuid,
                topic: chosen.join(",") || null,
                header: header === null ? null : String(header),
              })
            }
            onOther={other}
          />
        ) : (
          <UploadFile onUploaded={(uuid) => change({ file: uuid })} />
        )}
      </Narrow>
    </Stack>
  );
}
