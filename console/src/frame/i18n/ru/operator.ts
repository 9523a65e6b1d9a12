import settings from "../../../features/settings/texts/ru";
import system from "../../../features/system/texts/ru";

export default { ...settings, ...system };
