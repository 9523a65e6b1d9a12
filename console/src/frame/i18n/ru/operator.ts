export { default } from "../../../features/operator/texts/ru";
