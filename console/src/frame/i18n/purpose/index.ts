import type { Loaders } from "../AreaTexts";

export default { en: () => import("./en"), ru: () => import("./ru") } satisfies Loaders;
