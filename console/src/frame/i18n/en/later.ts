import blocks from "../../../features/blocks/texts/en";
import projects from "../../../features/projects/texts/en";

/** Texts of pages that nobody sees first, so they are loaded with these pages. */
export default { ...projects, ...blocks };
