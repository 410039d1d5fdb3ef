import { parseRecipient, type Recipient } from '@maker/rules';
import type { Address } from 'viem';
import type { ChainClient } from '../client.ts';
import { type RpcRequest, rpcRequestOf } from '../scanner/rpc-request.ts';
import type { VerifiedExchange } from '../shapes/shapes.ts';
import { deadEndsOf, type OwnDeadEnds } from './dead-ends.ts';

/** `factory()`, which pairs and pools have. */
const FACTORY = '0xc45a0155';
const WORD = /^0x0{24}([0-9a-f]{40})$/i;

/** What the chain says of an address that is to receive money. */
interface RecipientFacts {
  /** `0x` of a wallet. */
  readonly code: string;
  /** What its `factory()` answers, which pools have; undefined where it has none. */
  readonly factory?: string | undefined;
}

/** An account that delegates to a contract is still a wallet with a key. Source: EIP-7702. */
const DELEGATED = /^0xef0100/i;

/** Reads addresses that are to receive money of a job: the one parser of what events and operators name. */
export class Recipients {
  private readonly client: ChainClient;
  private readonly market: { readonly exchanges: readonly VerifiedExchange[] };
  private readonly treasury: Address | undefined;

  /** @param market its exchanges may change meanwhile */
  constructor(
    client: ChainClient,
    market: { readonly exchanges: readonly VerifiedExchange[] },
    treasury: Address | undefined,
  ) {
    this.client = client;
    this.market = market;
    this.treasury = treasury;
  }

  /** By what is known without asking the chain. @param token of the job */
  read(typed: string, token?: Address): Recipient {
    return parseRecipient(typed, deadEndsOf(this.own(token), this.market.exchanges));
  }

  /** The same, with what the chain shows: a pool of an exchange keeps what it receives. @throws where the chain cannot be read */
  async check(typed: string, token: Address): Promise<Recipient> {
    const recipient = this.read(typed, token);
    if (!recipient.ok) return recipient;
    const { problem } = await this.judge(recipient.address, token);
    return problem === undefined ? recipient : { ok: false, problem };
  }

  /** What is against an address, and whether it is a contract. @throws where the chain cannot be read */
  async judge(address: Address, token: Address): Promise<ReturnType<typeof judgeRecipient>> {
    const facts = await readRecipientFacts(rpcRequestOf(this.client), address);
    return judgeRecipient(address, this.own(token), this.market.exchanges, facts);
  }

  private own(token: Address | undefined): OwnDeadEnds {
    return { ...(token && { token }), treasury: this.treasury };
  }
}

/**
 * Whether money may go to an address: not to the token, the treasury, or a contract of an exchange, which keeps it.
 * @param own the job's token; the treasury, where the configuration names it @param exchanges those of the registry
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

/** Reads what an address is: one request for a wallet, two for a contract. @throws where the chain cannot be read */
async function readRecipientFacts(request: RpcRequest, address: Address): Promise<RecipientFacts> {
  const code = await request({ method: 'eth_getCode', params: [address, 'latest'] });
  if (typeof code !== 'string' || !code.startsWith('0x')) throw new Error('the node answered eth_getCode with no code');
  if (code === '0x') return { code };
  // A contract without this function reverts, or answers with anything.
  const answer = await request({ method: 'eth_call', params: [{ to: address, data: FACTORY }, 'latest'] }).catch(
    () => undefined,
  );
  const [, factory] = WORD.exec(String(answer)) ?? [];
  return { code, factory: factory && `0x${factory}` };
}
