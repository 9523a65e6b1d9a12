import type { Loaders } from "../../../frame/i18n/AreaTexts";

export default { en: () => import("./en"), ru: () => import("./ru") } satisfies Loaders;
