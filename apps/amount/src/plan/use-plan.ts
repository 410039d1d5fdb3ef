import type { JobPlan } from '@maker/contracts';
import { hypeForBody } from '@maker/rules';
import { type ApiClient, type ApiResult, getPlan, type ValidatedToken } from '@maker/web-kit';
import { useCallback, useEffect, useRef, useState } from 'react';

/** Pause after the last change of the amount before its request, ms: a visitor who types '12.5' means neither 1 nor 12. */
const SETTLED_AFTER_MS = 400;

/** Maximum time that a pressed CONTINUE waits for the plan, ms. */
const LONGEST_WAIT_MS = 3_000;

/** The newest answer for a chosen amount. */
export interface KnownPlan {
  readonly result: ApiResult<JobPlan>;
  /** Whether it is for an amount chosen earlier. */
  readonly isOld: boolean;
}

/** The plan of the chosen amount. */
export interface ChosenPlan {
  /** Undefined before the first answer. */
  readonly known: KnownPlan | undefined;
  /** Returns the answer for the chosen amount, immediately if it is known; undefined if none comes in time. */
  readonly settle: () => Promise<ApiResult<JobPlan> | undefined>;
  /** Requests the plan of the chosen amount again, since the service's answer may have changed. */
  readonly askAgain: () => void;
}

/**
 * The plan of the chosen amount, requested shortly after the last change of the amount. A new amount aborts the earlier
 * request. @param amountWei undefined without a valid choice
 */
export function usePlan(api: ApiClient, { tokenAddress }: ValidatedToken, amountWei: bigint | undefined): ChosenPlan {
  const [known, setKnown] = useState<{ readonly amountWei: bigint; readonly result: ApiResult<JobPlan> }>();
  const ask = useRef<(isAgain?: boolean) => Promise<ApiResult<JobPlan> | undefined>>(async () => undefined);
  useEffect(() => {
    if (amountWei === undefined) return;
    const leaving = new AbortController();
    let answer: Promise<ApiResult<JobPlan>> | undefined;
    const request = { tokenAddress: tokenAddress as `0x${string}`, paymentAmount: hypeForBody(amountWei) };
    ask.current = (isAgain = false) => {
      if (isAgain) answer = undefined;
      answer ??= getPlan(api, request, { signal: leaving.signal }).then((result) => {
        if (!leaving.signal.aborted) setKnown({ amountWei, result });
        return result;
      });
      return answer;
    };
    const timer = setTimeout(() => ask.current(), SETTLED_AFTER_MS);
    return () => {
      clearTimeout(timer);
      leaving.abort();
    };
  }, [api, tokenAddress, amountWei]);
  const settle = useCallback(() => {
    const late = new Promise<undefined>((resolve) => setTimeout(resolve, LONGEST_WAIT_MS));
    return Promise.race([ask.current(), late]);
  }, []);
  const askAgain = useCallback(() => void ask.current(true), []);
  return {
    known:
      amountWei === undefined || !known ? undefined : { result: known.result, isOld: known.amountWei !== amountWei },
    settle,
    askAgain,
  };
}
