import { ApiCallError } from '@maker/web-kit';

/**
 * The red box's text for a failed poll: the server's message, or what the specification says where there is none.
 * Source: specification § 8.
 */
export function pollingErrorText(error: Error | null): string | undefined {
  if (!error) return undefined;
  if (error instanceof ApiCallError) return error.error.message || 'Failed to check transaction status';
  return 'Network error while checking transaction status';
}

/** Whether the service said of the job that there is none: its database was restored, or this browser is at another service. */
export function isUnknownJob(error: Error | null): error is ApiCallError {
  return error instanceof ApiCallError && error.error.statusCode === 404;
}
