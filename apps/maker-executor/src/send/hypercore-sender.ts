import { HYPERCORE_UNIT_WEI, type HyperCoreApi, HyperCoreUnavailableError } from '@maker/chain';
import { RequestFailure } from '@maker/messaging';
import { formatHype, isSystemAddress } from '@maker/rules';
import { Clock, LOGGER } from '@maker/service-kit';
import type { SeedKeyring } from '@maker/signing/private';
import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { type Address, getAddress, isAddressEqual } from 'viem';
import { ChainAccess } from '../chain/chain-access.ts';
import { ExecutionsRepository } from '../execution/executions.repository.ts';
import { type SpotSendRecord, SpotSendsRepository } from './spot-sends.repository.ts';
import { KEYRING } from './transaction-sender.ts';

/** Injection token of the {@link HyperCoreApi}; undefined where no URL is configured. */
export const HYPERCORE_API = Symbol('HYPERCORE_API');

/** The wallet whose HYPE on HyperCore goes back, and to whom. */
export interface HyperCoreReturn {
  readonly jobId: string;
  readonly walletIndex: number;
  readonly walletAddress: Address;
  readonly to: Address;
}

/**
 * Sends all HYPE that a job's wallet has on HyperCore to one address there: policy, signature, stored, posted. One whose end is
 * not known is posted again first, as it is; HyperCore takes no nonce twice. Source: docs/adr/0030.
 */
@Injectable()
export class HyperCoreSender {
  constructor(
    @Inject(KEYRING) private readonly keyring: SeedKeyring,
    @Inject(HYPERCORE_API) private readonly api: HyperCoreApi | undefined,
    private readonly chain: ChainAccess,
    private readonly executions: ExecutionsRepository,
    private readonly sends: SpotSendsRepository,
    private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    if (!api) logger.warn('HYPERCORE_API_URL is not set: HYPE on HyperCore cannot be returned');
  }

  /** @returns how it ended, in a sentence @throws RequestFailure */
  async send(wanted: HyperCoreReturn): Promise<string> {
    const { api } = this;
    if (!api) throw refused('HYPERCORE_API_URL is not set: nothing can be sent on HyperCore');
    await this.assertMaySend(wanted);
    const record = (await this.sends.open(wanted.jobId)) ?? (await this.sign(wanted, api));
    this.logger.warn({ jobId: wanted.jobId, to: record.to, amountWei: record.amountWei }, 'HYPE is sent on HyperCore');
    const verdict = await api.send(record.signed).catch(unavailable);
    if (verdict.kind === 'done') {
      await this.sends.settle(record._id, 'done');
      return `${formatHype(BigInt(record.amountWei))} HYPE went on HyperCore to ${record.to}`;
    }
    await this.sends.settle(record._id, 'refused', verdict.words);
    throw refused(`HyperCore refused it: ${verdict.words}; look at what is there before you try again`);
  }

  /** Source: design § 2.1, design § 6. */
  private async assertMaySend({ walletIndex, walletAddress, to }: HyperCoreReturn): Promise<void> {
    if (!isAddressEqual(this.keyring.wallet(walletIndex).address, walletAddress)) {
      throw refused('The wallet is not one of this seed: nothing can be sent');
    }
    if (isSystemAddress(to)) throw refused('That is an address of the chain itself: it would not reach anybody');
    if (isAddressEqual(to, walletAddress)) throw refused("That is the job's own wallet");
    if (await this.executions.isWallet(getAddress(to))) throw refused('That is the wallet of another job');
  }

  private async sign({ jobId, walletIndex, walletAddress, to }: HyperCoreReturn, api: HyperCoreApi) {
    const balanceWei = await api.hypeBalance(walletAddress).catch(unavailable);
    const amountWei = balanceWei - (balanceWei % HYPERCORE_UNIT_WEI);
    if (amountWei === 0n) throw refused("There is no HYPE at the job's address on HyperCore");
    const { chainId, hyperCore } = this.chain.network;
    const nowMs = this.clock.now();
    const signed = await this.keyring.wallet(walletIndex).signSpotSend({
      hyperCoreChain: hyperCore.chain,
      chainId,
      destination: to,
      token: hyperCore.hypeToken,
      amount: formatHype(amountWei),
      timeMs: nowMs,
    });
    const record: SpotSendRecord = {
      _id: `${jobId}/${signed.nonce}`,
      jobId,
      signed,
      amountWei: amountWei.toString(),
      to: getAddress(to),
      signedAt: new Date(nowMs),
      state: 'signed',
    };
    await this.sends.insert(record);
    return record;
  }
}

function refused(message: string): RequestFailure {
  return new RequestFailure('NOT_POSSIBLE_NOW', message);
}

function unavailable(error: unknown): never {
  if (!(error instanceof HyperCoreUnavailableError)) throw error;
  throw new RequestFailure('SERVICE_UNAVAILABLE', `${error.message}; order it again: nothing is sent twice`);
}
