import { type ConnectedChain, type RpcRequest, rpcRequestOf } from '@maker/chain';
import { checkRecipient } from '@maker/contracts';
import { HandleRequest, RequestFailure } from '@maker/messaging';
import { Logger } from '@maker/service-kit';
import { Controller, Inject } from '@nestjs/common';
import type { Address } from 'viem';
import type { z } from 'zod';
import { CONFIGURATION, type TokenValidationConfiguration } from '../configuration.ts';
import { CONNECTED_CHAIN } from '../connected-chain.provider.ts';
import { judgeRecipient, type RecipientFacts } from './judge-recipient.ts';

/** `factory()`, which pairs and pools have. */
const FACTORY = '0xc45a0155';
const WORD = /^0x0{24}([0-9a-f]{40})$/i;

/** Answers `chain.recipient.check`. */
@Controller()
export class CheckRecipientHandler {
  constructor(
    @Inject(CONFIGURATION) private readonly configuration: TokenValidationConfiguration,
    @Inject(CONNECTED_CHAIN) private readonly chain: ConnectedChain,
    private readonly logger: Logger,
  ) {}

  /** @throws RequestFailure `SERVICE_UNAVAILABLE` when the chain cannot be read */
  @HandleRequest(checkRecipient)
  async check({ address, tokenAddress }: z.output<typeof checkRecipient.request>) {
    try {
      const facts = await readFacts(rpcRequestOf(this.chain.client), address);
      const own = { token: tokenAddress, treasury: this.configuration.VALIDATION_TREASURY_ADDRESS };
      return judgeRecipient(address, own, this.chain.market.exchanges, facts);
    } catch (error) {
      this.logger.error({ err: error }, 'recipient unread');
      throw new RequestFailure('SERVICE_UNAVAILABLE', 'The network cannot be read at the moment. Please try again.');
    }
  }
}

/** One request for a wallet, two for a contract. */
async function readFacts(request: RpcRequest, address: Address): Promise<RecipientFacts> {
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
