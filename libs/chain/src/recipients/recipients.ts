import { parseRecipient, type Recipient } from '@maker/rules';
import type { Address } from 'viem';
import type { ChainClient } from '../client.ts';
import { rpcRequestOf } from '../scanner/rpc-request.ts';
import type { VerifiedExchange } from '../shapes/shapes.ts';
import { deadEndsOf, type OwnDeadEnds } from './dead-ends.ts';
import { judgeRecipient } from './judge-recipient.ts';
import { readRecipientFacts } from './recipient-facts.ts';

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
