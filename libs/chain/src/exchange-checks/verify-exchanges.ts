import type { ChainClient } from '../client.ts';
import { WrongExchangeError } from '../errors.ts';
import { queryAll } from '../query.ts';
import type { RoleContract } from '../shapes/exchange-entry.ts';
import { checksOf, type Exchange, type VerifiedExchange } from '../shapes/shapes.ts';
import { type FoundFunctions, findCalledFunctions } from './called-functions.ts';

/** Result of a check: the entry with facts that only the chain has, or the difference. */
export type ExchangeVerdict = VerifiedExchange | WrongExchangeError;

/** Whether the exchange matches the registry. */
export function isVerified(verdict: ExchangeVerdict): verdict is VerifiedExchange {
  return !(verdict instanceof WrongExchangeError);
}

/**
 * Checks entries against the chain: the code at every address, every function that the product calls, and the factory and wrapped
 * native coin of router and quoter. Source: design § 7. Two requests for all entries together. Where an endpoint refuses calls without
 * a recipient, one for each contract, and one more.
 * @returns for each the entry with fee tiers, router and quoter versions, or the difference; in their order
 * @throws ChainUnavailableError when the endpoint does not answer
 */
export async function verifyExchanges(
  client: ChainClient,
  exchanges: readonly Exchange[],
): Promise<readonly ExchangeVerdict[]> {
  const contracts = exchanges.map((exchange) => checksOf(exchange).contractsOf(exchange));
  const found = await findCalledFunctions(client, contracts.flat());
  const rest = [...found];
  const byCode = exchanges.map((exchange, index) => {
    const roles = contracts[index] ?? [];
    return judgeCode(exchange, roles, rest.splice(0, roles.length));
  });
  const asked = byCode.filter(isVerified);
  const answers = asked.length > 0 ? await verifyAgain(client, asked) : [];
  return byCode.map((verdict) => (isVerified(verdict) ? (answers[asked.indexOf(verdict)] ?? verdict) : verdict));
}

function judgeCode(
  exchange: Exchange,
  contracts: readonly RoleContract[],
  found: readonly FoundFunctions[],
): ExchangeVerdict {
  try {
    const functions = contracts.map(({ role, address }, index) => {
      const own = found[index];
      if (own) return own;
      throw new WrongExchangeError(exchange.id, `there is no contract at its ${role} ${address}: no ${exchange.kind}`);
    });
    return checksOf(exchange).judgeCode(exchange, functions);
  } catch (error) {
    if (error instanceof WrongExchangeError) return error;
    throw error;
  }
}

/**
 * Checks verified exchanges again, all in one request: whether their contracts still exist and give the same answers. The functions
 * in their code cannot have changed.
 * @returns a verdict for each, in their order @throws ChainUnavailableError
 */
export async function verifyAgain(
  client: ChainClient,
  exchanges: readonly VerifiedExchange[],
): Promise<readonly ExchangeVerdict[]> {
  return queryAll(
    client,
    exchanges.map((exchange) => checksOf(exchange).answersOf(exchange)),
  );
}
