import { Anchor } from "@mantine/core";
import { Link } from "react-router";

/** The email address of a user, which leads to the user's page. */
export function UserLink({ user }: { user: { uuid: string; email: string } }) {
  return (
    <Anchor component={Link} to={`/users/${user.uuid}`} size="sm">
      {user.email}
    </Anchor>
  );
}
