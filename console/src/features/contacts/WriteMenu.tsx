import { Button, Menu } from "@mantine/core";
import { IconSend } from "@tabler/icons-react";
import { Link } from "react-router";
import { useTranslation } from "../../frame/i18n";
import { useViewer } from "../../frame/session";
import type { OneContactQuery } from "../../gql/graphql";

type Addresses = NonNullable<OneContactQuery["contact"]>["addresses"];

/** Writes to a contact: opens the dialog for a message with the address, or the chat in a messenger. */
export function WriteMenu({ addresses }: { addresses: Addresses }) {
  const { t } = useTranslation();
  const { may, uses } = useViewer();
  const ways = addresses.filter(({ channel }) =>
    channel === "telegram" || channel === "whatsapp"
      ? may("messengers:read") && uses("messengers")
      : may("messages:send"),
  );
  const [only] = ways;
  if (!only) return null;
  const button = { leftSection: <IconSend size={14} />, children: t("contacts.write") };
  if (ways.length === 1) return <Button component={Link} to={pathTo(only)} {...button} />;
  return (
    <Menu>
      <Menu.Target>
        <Button {...button} />
      </Menu.Target>
      <Menu.Dropdown>
        {ways.map((way) => (
          <Menu.Item key={`${way.channel} ${way.address}`} component={Link} to={pathTo(way)}>
            {t("contacts.writeTo", { address: way.address, channel: t(`contacts.channels.${way.channel}`) })}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

function pathTo({ channel, address }: Addresses[number]): string {
  if (channel === "telegram" || channel === "whatsapp") return `/inbox?to=${encodeURIComponent(address)}`;
  return `/messages?send=1&through=${channel}&recipient=${encodeURIComponent(address)}`;
}
