import settings from "../../../features/settings/texts/en";
import system from "../../../features/system/texts/en";

export default { ...settings, ...system };
