import type { JobPlan } from '@maker/contracts';
import { formatHype } from '@maker/rules';
import { type ApiClient, type ApiResult, getPlan, type ValidatedToken } from '@maker/web-kit';
import { useEffect, useState } from 'react';

/** How long an amount stands before it is asked for, ms: who types '12.5' means neither 1 nor 12. */
const SETTLED_AFTER_MS = 400;

/** The newest answer about a chosen amount. */
export interface KnownPlan {
  readonly result: ApiResult<JobPlan>;
  /** It is about an amount that was chosen before. */
  readonly isOld: boolean;
}

/**
 * The plan of the chosen amount, asked for when the amount has stood for a moment; a question about an amount that was
 * left is given up. @param amountWei undefined while nothing valid is chosen
 */
export function usePlan(
  api: ApiClient,
  { tokenAddress }: ValidatedToken,
  amountWei: bigint | undefined,
): KnownPlan | undefined {
  const [known, setKnown] = useState<{ readonly amountWei: bigint; readonly result: ApiResult<JobPlan> }>();
  useEffect(() => {
    if (amountWei === undefined) return;
    const leaving = new AbortController();
    const ask = async () => {
      const request = { tokenAddress: tokenAddress as `0x${string}`, paymentAmount: Number(formatHype(amountWei)) };
      const result = await getPlan(api, request, { signal: leaving.signal });
      if (!leaving.signal.aborted) setKnown({ amountWei, result });
    };
    const timer = setTimeout(() => void ask(), SETTLED_AFTER_MS);
    return () => {
      clearTimeout(timer);
      leaving.abort();
    };
  }, [api, tokenAddress, amountWei]);
  return amountWei === undefined || !known ? undefined : { result: known.result, isOld: known.amountWei !== amountWei };
}
