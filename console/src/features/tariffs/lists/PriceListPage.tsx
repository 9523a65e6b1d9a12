import { Anchor, Badge, Breadcrumbs, Button, Loader, Paper, Stack, Table, Text } from "@mantine/core";
import { IconPencil, IconPlus, IconTrash } from "@tabler/icons-react";
import { useState } from "react";
import { Link, useNavigate, useParams } from "react-router";
import { useLoaded } from "../../../frame/api/useLoaded";
import { useTranslation } from "../../../frame/i18n";
import { useViewer } from "../../../frame/session";
import { Question } from "../../../frame/ui/dialogs/Question";
import { RemoveButton } from "../../../frame/ui/dialogs/RemoveButton";
import { NotFound } from "../../../frame/ui/page/NotFound";
import { Notice, useNotice } from "../../../frame/ui/page/Notice";
import { PageHead } from "../../../frame/ui/page/PageHead";
import { ProblemNotice } from "../../../frame/ui/page/ProblemNotice";
import { usePageTitle } from "../../../frame/ui/page/usePageTitle";
import { Time } from "../../../frame/ui/Time";
import { useFormat } from "../../../frame/values/format";
import type { OnePriceListQuery } from "../../../gql/graphql";
import classes from "../tariffs.module.css";
import { AddVersion } from "./AddVersion";
import { DeletePriceList, DeletePriceListVersion, OnePriceList } from "./documents";
import { PriceListDialog } from "./PriceListDialog";
import { Prices } from "./Prices";

type PriceList = NonNullable<OnePriceListQuery["priceList"]>;
type Version = NonNullable<PriceList["versions"]>["nodes"][number];

export default function PriceListPage() {
  const { uuid = "" } = useParams();
  const { t } = useTranslation();
  const { data, problem, loading, reload } = useLoaded(OnePriceList, { id: uuid });
  usePageTitle(data?.priceList?.name ?? t("priceLists.title"));
  if (data?.priceList) return <Shown key={uuid} list={data.priceList} reload={reload} />;
  if (loading) return <Loader size="sm" aria-label={t("common.loading")} />;
  if (!problem || problem.code === "price_list_not_found" || problem.code === "bad_id") {
    return <NotFound text={t("priceLists.notFound")} />;
  }
  return <ProblemNotice problem={problem} onRetry={reload} />;
}

/** A price list: its versions, and the prices of one of them. */
function Shown({ list, reload }: { list: PriceList; reload: () => void }) {
  const { t } = useTranslation();
  const format = useFormat();
  const navigate = useNavigate();
  const { isAdmin } = useViewer();
  const notice = useNotice();
  const { uuid, name, currency, strict, current, versions } = list;
  const [asking, setAsking] = useState<"add" | "edit" | "delete" | Version | null>(null);
  const [chosen, setChosen] = useState<number | null>(null);
  const close = () => setAsking(null);
  const done = (message: string) => {
    close();
    notice.show(message);
    reload();
  };
  const number = chosen ?? current?.number ?? versions?.nodes[0]?.number;
  return (
    <Stack gap="sm">
      <Breadcrumbs>
        <Anchor component={Link} to="/tariffs/lists" size="sm">
          {t("priceLists.title")}
        </Anchor>
      </Breadcrumbs>
      <PageHead
        title={name}
        note={
          <Badge color={strict ? "orange" : "gray"} variant="light" size="sm" radius="sm" tt="none" fw={500}>
            {currency} · {t(strict ? "priceLists.isStrict" : "priceLists.isNotStrict")}
          </Badge>
        }
      >
        {isAdmin && (
          <>
            <Button
              variant="default"
              leftSection={<IconTrash size={14} />}
              onClick={() => setAsking("delete")}
            >
              {t("priceLists.delete")}
            </Button>
            <Button
              variant="default"
              leftSection={<IconPencil size={14} />}
              onClick={() => setAsking("edit")}
            >
              {t("tariffs.edit")}
            </Button>
            <Button leftSection={<IconPlus size={14} />} onClick={() => setAsking("add")}>
              {t("priceLists.addVersion")}
            </Button>
          </>
        )}
      </PageHead>
      <Notice message={notice.message} onDismiss={notice.dismiss} />
      <Paper>
        <Table verticalSpacing={6} aria-label={t("priceLists.versions")} className={classes.table}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t("priceLists.version")}</Table.Th>
              <Table.Th>{t("priceLists.prices")}</Table.Th>
              <Table.Th>{t("priceLists.validFrom")}</Table.Th>
              <Table.Th>
                <span className="visually-hidden">{t("priceLists.show")}</span>
              </Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {versions?.nodes.map((version) => (
              <Table.Tr key={version.number}>
                <Table.Td>
                  {version.number}{" "}
                  {version.number === current?.number && (
                    <Badge color="teal" variant="light" size="sm" radius="sm" tt="none" fw={500}>
                      {t("priceLists.current")}
                    </Badge>
                  )}
                </Table.Td>
                <Table.Td>{format.number(version.size)}</Table.Td>
                <Table.Td>
                  <Time value={version.validFrom} />
                </Table.Td>
                <Table.Td ta="right">
                  <Button
                    variant="default"
                    aria-label={t("priceLists.showOf", { number: version.number })}
                    onClick={() => setChosen(version.number)}
                  >
                    {t("priceLists.show")}
                  </Button>
                  {isAdmin && version.number !== current?.number && (
                    <RemoveButton
                      label={t("priceLists.deleteVersion", { number: version.number })}
                      onClick={() => setAsking(version)}
                    />
                  )}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
        {versions?.nodes.length === 0 && (
          <Text size="sm" p="sm">
            {t("priceLists.noVersion")}
          </Text>
        )}
      </Paper>
      {number !== undefined && <Prices key={number} uuid={uuid} currency={currency} version={number} />}
      {asking === "add" && (
        <AddVersion
          uuid={uuid}
          onClose={close}
          onAdded={(size) => done(t("priceLists.added", { count: size, number: format.number(size) }))}
        />
      )}
      {asking === "edit" && (
        <PriceListDialog list={list} onClose={close} onSaved={() => done(t("priceLists.saved"))} />
      )}
      {asking === "delete" && (
        <Question
          title={t("priceLists.deleteTitle", { name })}
          question={t("priceLists.deleteText")}
          action={t("priceLists.delete")}
          mutation={DeletePriceList}
          variables={{ id: uuid }}
          onDone={() => void navigate("/tariffs/lists", { replace: true })}
          onClose={close}
        />
      )}
      {asking !== null && typeof asking === "object" && (
        <Question
          title={t("priceLists.deleteVersionTitle", { number: asking.number })}
          question={t("priceLists.deleteVersionText")}
          action={t("priceLists.delete")}
          mutation={DeletePriceListVersion}
          variables={{ id: uuid, number: asking.number }}
          onDone={() => done(t("priceLists.versionDeleted", { number: asking.number }))}
          onClose={close}
        />
      )}
    </Stack>
  );
}
