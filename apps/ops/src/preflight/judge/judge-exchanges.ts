import { describeExchange, type Exchange, type ExchangeVerdict, isVerified } from '@maker/chain';
import type { Trial } from '../gather/trial.ts';
import { fail, type Line, ok, weak } from '../report.ts';

/** Judges each exchange of the registry by its contracts on the chain. */
export function judgeExchanges(registry: readonly Exchange[], verdicts: readonly ExchangeVerdict[]): readonly Line[] {
  const left = verdicts.some(isVerified);
  return registry.map(({ id }, index) => {
    const verdict = verdicts[index];
    if (!verdict) return fail(id, 'not checked', 'nothing is traded there');
    if (!isVerified(verdict)) {
      return left
        ? weak(id, verdict.difference, 'set aside: nothing is traded there')
        : fail(id, verdict.difference, 'no exchange is left: nothing starts');
    }
    return ok(id, describeExchange(verdict));
  });
}

/** Judges a quote and a trial like those of a visitor's token. */
export function judgeTrial(trial: Trial): Line {
  const what = 'trial';
  switch (trial.kind) {
    case 'no_token':
      return weak(what, 'no token is known here', 'not tried: name a token that trades with --token');
    case 'no_pool':
      return fail(what, `${trial.symbol} has no pool that quotes`, 'nothing could be bought');
    case 'unavailable':
      return fail(what, trial.reason, 'no token can be validated: no job begins');
    case 'tried': {
      const { symbol, exchangeId, tokensOut, verdict } = trial;
      if (verdict.kind === 'tradable')
        return ok(what, `0.0004 HYPE buys ${tokensOut} ${symbol} on ${exchangeId}, and they sell`);
      const why = 'reason' in verdict && verdict.reason ? `: ${verdict.reason}` : '';
      return fail(
        what,
        `${symbol} on ${exchangeId}: ${verdict.kind.replaceAll('_', ' ')}${why}`,
        'a job for it would be refused',
      );
    }
  }
}
