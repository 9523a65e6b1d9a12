import accounts from "../../../features/accounts/texts/ru";
import settings from "../../../features/settings/texts/ru";
import system from "../../../features/system/texts/ru";
import tariffs from "../../../features/tariffs/texts/ru";
import users from "../../../features/users/texts/ru";

export default { ...users, ...accounts, ...tariffs, ...settings, ...system };
