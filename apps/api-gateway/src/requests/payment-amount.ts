import { hypeNumberToWei, InvalidAmountError } from '@maker/rules';
import { ApiError } from '../errors/api-error.ts';

/**
 * Converts the amount of a body from HYPE to wei; other services get only wei. An amount finer than 1 wei is below every minimum, and is
 * refused like other amounts below it. @throws ApiError
 */
export function weiOf(paymentAmount: number): bigint {
  try {
    return hypeNumberToWei(paymentAmount);
  } catch (error) {
    if (!(error instanceof InvalidAmountError)) throw error;
    throw new ApiError('AMOUNT_OUT_OF_RANGE', `paymentAmount: ${error.message}`);
  }
}
