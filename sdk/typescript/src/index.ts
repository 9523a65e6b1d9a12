/** The client of Postern. The README has a quick start. */

export { Postern, type PosternOptions } from "./postern.js";
export {
  ApiError,
  BadRequest,
  Conflict,
  ConnectionFailed,
  Forbidden,
  NotAuthenticated,
  NotFound,
  PaymentRequired,
  PosternError,
  RateLimited,
  Unavailable,
  WebhookRefused,
} from "./errors.js";
export { iterate, type CursorPage, type NumberedPage } from "./pages.js";
export { type Retries } from "./retries.js";
export type * from "./generated/types.gen.js";
