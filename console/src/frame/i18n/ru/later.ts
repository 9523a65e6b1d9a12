import blocks from "../../../features/blocks/texts/ru";
import projects from "../../../features/projects/texts/ru";

/** Texts of pages that nobody sees first, so they are loaded with these pages. */
export default { ...projects, ...blocks };
