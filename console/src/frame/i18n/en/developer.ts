export { default } from "../../../features/developer/texts/en";
