export { default } from "../../../features/developer/texts/ru";
