import { Center, Loader } from "@mantine/core";

export function Waiting() {
  return (
    <Center mih="40dvh">
      <Loader size="sm" />
    </Center>
  );
}
