import { TOKEN_ADDRESS_MESSAGES, tokenAddressProblem } from '@maker/rules';
import type { ApiResult, ValidatedToken, ValidationAnswer } from '@maker/web-kit';

/** The token step's own messages. Source: specification § 8. */
export const VALIDATION_MESSAGES = {
  ...TOKEN_ADDRESS_MESSAGES,
  insufficient: 'Token does not meet minimum liquidity requirements',
  errorReply: 'Failed to validate token',
  thrown: 'Network error. Please check your connection and try again.',
  success: 'Token validated successfully! Proceeding...',
} as const;

/** Result of a validation. */
export type ValidationOutcome =
  | { readonly kind: 'accepted'; readonly token: ValidatedToken }
  /** `reference` is the request's id in the product's logs, if the product failed. */
  | { readonly kind: 'refused'; readonly message: string; readonly reference?: string };

const refused = (message: string): ValidationOutcome => ({ kind: 'refused', message });

/**
 * Validates a typed token: first its form, then by the server.
 * Every failure becomes the message of specification § 8; nothing is thrown.
 * @param validate the call to the API
 */
export async function validateTypedToken(
  typed: string,
  validate: (tokenAddress: string) => Promise<ApiResult<ValidationAnswer>>,
): Promise<ValidationOutcome> {
  const problem = tokenAddressProblem(typed);
  if (problem) return refused(problem);
  const tokenAddress = typed.trim();
  try {
    return readValidation(tokenAddress, await validate(tokenAddress));
  } catch {
    return refused(VALIDATION_MESSAGES.thrown);
  }
}

/** Judges the server's answer. Only a valid token above the minimum leads on. Source: specification §§ 4 and 8. */
export function readValidation(tokenAddress: string, result: ApiResult<ValidationAnswer>): ValidationOutcome {
  if (!result.ok) {
    const { code, message, requestId } = result.error;
    // The server's message for a malformed request names a field of the API.
    const text = code === 'INVALID_REQUEST' ? VALIDATION_MESSAGES.malformed : message || VALIDATION_MESSAGES.errorReply;
    return { ...refused(text), ...(requestId && { reference: requestId }) };
  }
  const { isValid, errorMessage, liquidityStatus, token } = result.data;
  if (!isValid || !liquidityStatus?.meetsMinimum) return refused(errorMessage || VALIDATION_MESSAGES.insufficient);
  return { kind: 'accepted', token: { tokenAddress, liquidityStatus, ...(token ? { token } : {}) } };
}
