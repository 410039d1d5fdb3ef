export type * from './api-types.ts';
export { type CallOptions, type CreateOptions, MakerClient } from './maker-client.ts';
export { type ClientErrorCode, MakerError } from './maker-error.ts';
export type { ClientOptions } from './request.ts';
export { hashStopSecret, newStopSecret, type StopSecret } from './stop-secret.ts';
export {
  verifyWebhook,
  type WebhookHeaders,
  type WebhookMessage,
  WebhookVerificationError,
} from './verify-webhook.ts';
export { isEnded, type WatchOptions } from './watch-job.ts';
