import blocks from "../../../features/blocks/texts/ru";
import projects from "../../../features/projects/texts/ru";

export default { ...projects, ...blocks };
