import common from "./common";
import messages from "./messages";
import overview from "./overview";

export default { ...common, ...messages, ...overview };
