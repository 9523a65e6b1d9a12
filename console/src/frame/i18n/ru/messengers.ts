import inbox from "../../../features/inbox/texts/ru";
import messengers from "../../../features/messengers/texts/ru";

export default { ...inbox, ...messengers };
