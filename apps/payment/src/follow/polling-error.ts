import { ApiCallError } from '@maker/web-kit';

/**
 * The red box's text for a failed poll: the server's message, else the specification's text.
 * Source: specification § 8.
 */
export function pollingErrorText(error: Error | null): string | undefined {
  if (!error) return undefined;
  if (error instanceof ApiCallError) return error.error.message || 'Failed to check transaction status';
  return 'Network error while checking transaction status';
}

/** Whether the service has no such job: its database was restored, or this browser uses another service. */
export function isUnknownJob(error: Error | null): error is ApiCallError {
  return error instanceof ApiCallError && error.error.statusCode === 404;
}
