import common from "./common";
import figures from "./figures";
import overview from "./overview";
import sandbox from "./sandbox";

export default { ...common, ...figures, ...overview, ...sandbox };
