import accounts from "../../../features/accounts/texts/en";
import settings from "../../../features/settings/texts/en";
import system from "../../../features/system/texts/en";
import tariffs from "../../../features/tariffs/texts/en";
import users from "../../../features/users/texts/en";

export default { ...users, ...accounts, ...tariffs, ...settings, ...system };
