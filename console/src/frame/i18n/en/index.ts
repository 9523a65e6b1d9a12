import common from "./common";
import overview from "./overview";

export default { ...common, ...overview };
