export { default } from "../../../features/operator/texts/en";
