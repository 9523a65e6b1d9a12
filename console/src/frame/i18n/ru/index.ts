import type { Translation } from "../catalogue";
import type en from "../en/index";
import common from "./common";
import overview from "./overview";

export default { ...common, ...overview } satisfies Translation<typeof en>;
