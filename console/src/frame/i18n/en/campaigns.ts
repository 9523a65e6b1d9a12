import blocks from "../../../features/blocks/texts/en";
import projects from "../../../features/projects/texts/en";

export default { ...projects, ...blocks };
