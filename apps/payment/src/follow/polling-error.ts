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
