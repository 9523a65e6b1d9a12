import inbox from "../../../features/inbox/texts/en";
import messengers from "../../../features/messengers/texts/en";

export default { ...inbox, ...messengers };
