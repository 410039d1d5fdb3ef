import type { JobPlan } from '@maker/contracts';
import { formatHype } from '@maker/rules';
import { type ApiClient, type ApiResult, getPlan, type ValidatedToken } from '@maker/web-kit';
import { useCallback, useEffect, useRef, useState } from 'react';

/** How long an amount stands before it is asked for, ms: who types '12.5' means neither 1 nor 12. */
const SETTLED_AFTER_MS = 400;

/** Longest that a pressed CONTINUE waits for the plan, ms. */
const LONGEST_WAIT_MS = 3_000;

/** The newest answer about a chosen amount. */
export interface KnownPlan {
  readonly result: ApiResult<JobPlan>;
  /** It is about an amount that was chosen before. */
  readonly isOld: boolean;
}

/** The plan of the chosen amount. */
export interface ChosenPlan {
  /** Undefined before the first answer. */
  readonly known: KnownPlan | undefined;
  /** Answers about the chosen amount, at once where that is known; undefined where no answer comes in time. */
  readonly settle: () => Promise<ApiResult<JobPlan> | undefined>;
  /** Asks anew about the chosen amount, since the service may have another answer by now. */
  readonly askAgain: () => void;
}

/**
 * The plan of the chosen amount, asked for when the amount has stood for a moment; a question about an amount that was
 * left is given up. @param amountWei undefined while nothing valid is chosen
 */
export function usePlan(api: ApiClient, { tokenAddress }: ValidatedToken, amountWei: bigint | undefined): ChosenPlan {
  const [known, setKnown] = useState<{ readonly amountWei: bigint; readonly result: ApiResult<JobPlan> }>();
  const ask = useRef<(isAgain?: boolean) => Promise<ApiResult<JobPlan> | undefined>>(async () => undefined);
  useEffect(() => {
    if (amountWei === undefined) return;
    const leaving = new AbortController();
    let answer: Promise<ApiResult<JobPlan>> | undefined;
    const request = { tokenAddress: tokenAddress as `0x${string}`, paymentAmount: Number(formatHype(amountWei)) };
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
