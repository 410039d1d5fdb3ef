import { hypeNumberToWei, InvalidAmountError } from '@maker/rules';
import { ApiError } from '../errors/api-error.ts';

/**
 * The amount of a body in wei: HYPE as a number goes no further inside. What is finer than a wei is far below every minimum, and is
 * answered like all that is. @throws ApiError
 */
export function weiOf(paymentAmount: number): bigint {
  try {
    return hypeNumberToWei(paymentAmount);
  } catch (error) {
    if (!(error instanceof InvalidAmountError)) throw error;
    throw new ApiError('AMOUNT_OUT_OF_RANGE', `paymentAmount: ${error.message}`);
  }
}
