import { parseRecipient, type Recipient } from '@maker/rules';
import type { Address } from 'viem';
import type { ChainClient } from '../client.ts';
import { type RpcRequest, rpcRequestOf } from '../scanner/rpc-request.ts';
import type { VerifiedExchange } from '../shapes/shapes.ts';
import { deadEndsOf, type OwnDeadEnds } from './dead-ends.ts';

/** `factory()`, which pairs and pools have. */
const FACTORY = '0xc45a0155';
const WORD = /^0x0{24}([0-9a-f]{40})$/i;

/** Facts on the chain about an address that is to receive money. */
interface RecipientFacts {
  /** `0x` of a wallet. */
  readonly code: string;
  /** Answer of its `factory()`, a function of pools; undefined where it has none. */
  readonly factory?: string | undefined;
}

/** An account that delegates to a contract is still a wallet with a key. Source: EIP-7702. */
const DELEGATED = /^0xef0100/i;

/** Checks recipients of a job's money: the only parser of addresses from events and operators. */
export class Recipients {
  private readonly client: ChainClient;
  private readonly market: { readonly exchanges: readonly VerifiedExchange[] };
  private readonly treasury: Address | undefined;

  /** @param market its exchanges may change later */
  constructor(
    client: ChainClient,
    market: { readonly exchanges: readonly VerifiedExchange[] },
    treasury: Address | undefined,
  ) {
    this.client = client;
    this.market = market;
    this.treasury = treasury;
  }

  /** Parses an address without a request to the chain. @param token of the job */
  read(typed: string, token?: Address): Recipient {
    return parseRecipient(typed, deadEndsOf(this.own(token), this.market.exchanges));
  }

  /** The same, and refuses by facts from the chain: an exchange's pool keeps all it receives. @throws if the chain is unreadable */
  async check(typed: string, token: Address): Promise<Recipient> {
    const recipient = this.read(typed, token);
    if (!recipient.ok) return recipient;
    const { problem } = await this.judge(recipient.address, token);
    return problem === undefined ? recipient : { ok: false, problem };
  }

  /** The problem with an address, and whether it is a contract. @throws if the chain is unreadable */
  async judge(address: Address, token: Address): Promise<ReturnType<typeof judgeRecipient>> {
    const facts = await readRecipientFacts(rpcRequestOf(this.client), address);
    return judgeRecipient(address, this.own(token), this.market.exchanges, facts);
  }

  private own(token: Address | undefined): OwnDeadEnds {
    return { ...(token && { token }), treasury: this.treasury };
  }
}

/**
 * Whether an address may receive money: the token, the treasury and contracts of exchanges would keep it.
 * @param own the job's token; the treasury, where the configuration names it @param exchanges of the registry
 */
export function judgeRecipient(
  address: Address,
  own: OwnDeadEnds,
  exchanges: readonly VerifiedExchange[],
  { code, factory }: RecipientFacts,
): { problem?: string; isContract: boolean } {
  const deadEnds = deadEndsOf(own, exchanges);
  if (exchanges.some((exchange) => exchange.factory.toLowerCase() === factory?.toLowerCase())) {
    deadEnds.push({ address, what: "an exchange's pool" });
  }
  const recipient = parseRecipient(address, deadEnds);
  const isContract = code !== '0x' && !DELEGATED.test(code);
  return { isContract, ...(!recipient.ok && { problem: recipient.problem }) };
}

/** Reads the facts about an address: one request for a wallet, two for a contract. @throws if the chain is unreadable */
async function readRecipientFacts(request: RpcRequest, address: Address): Promise<RecipientFacts> {
  const code = (await request({ method: 'eth_getCode', params: [address, 'latest'] })) as string;
  if (code === '0x') return { code };
  // A contract without this function reverts, or returns any data.
  const answer = await request({ method: 'eth_call', params: [{ to: address, data: FACTORY }, 'latest'] }).catch(
    () => undefined,
  );
  const [, factory] = WORD.exec(String(answer)) ?? [];
  return { code, factory: factory && `0x${factory}` };
}
