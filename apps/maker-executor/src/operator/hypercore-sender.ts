import { HYPERCORE_UNIT_WEI, type HyperCoreApi, HyperCoreUnavailableError } from '@maker/chain';
import type { WriteOutcome } from '@maker/execution-records';
import { RequestFailure } from '@maker/messaging';
import { inTransaction } from '@maker/persistence';
import { formatHype } from '@maker/rules';
import { Logger } from '@maker/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import { type Address, getAddress, isAddressEqual } from 'viem';
import type { SpotSendRecord } from '../command/spot-sends.repository.ts';
import { NotPossibleNow } from '../execution/not-possible-now.ts';
import { TickSources } from '../runner/tick-sources.ts';
import { JobWalletSigner } from '../wallet/job-wallet-signer.ts';

/** Injection token of the {@link HyperCoreApi}; undefined without a configured URL. */
export const HYPERCORE_API = Symbol('HYPERCORE_API');

const NO_API = 'HYPERCORE_API_URL is not set: nothing can be sent on HyperCore';

/** A return of a wallet's HYPE on HyperCore. */
export interface HyperCoreReturn {
  readonly jobId: string;
  readonly walletIndex: number;
  readonly walletAddress: Address;
  readonly to: Address;
  /** Expected balance of the wallet on HyperCore, wei: all of it is sent. */
  readonly amountWei: bigint;
}

/**
 * Sends all HYPE of a job's wallet on HyperCore to one address there: checks, signs, stores and posts. It first posts again the
 * same bytes of a transfer with an unknown result; HyperCore accepts a nonce once. Source: docs/adr/0030.
 */
@Injectable()
export class HyperCoreSender {
  constructor(
    @Inject(HYPERCORE_API) private readonly api: HyperCoreApi | undefined,
    private readonly signer: JobWalletSigner,
    private readonly sources: TickSources,
    private readonly logger: Logger,
  ) {
    if (!api) logger.warn('HYPERCORE_API_URL not set: HYPE on HyperCore cannot be returned');
  }

  /**
   * Signs and stores the next transfer, or finds the stored transfer with an unknown result.
   * @param write writes the outcome in the same transaction @throws NotPossibleNow, RequestFailure: nothing was signed
   */
  async prepare(wanted: HyperCoreReturn, write: WriteOutcome): Promise<SpotSendRecord> {
    const { api } = this;
    if (!api) throw new NotPossibleNow(NO_API);
    await this.assertMaySend(wanted);
    const open = await this.sources.database.spotSends.open(wanted.jobId);
    if (open) assertIsAlike(open, wanted);
    const record = open ?? (await this.sign(wanted, api));
    await inTransaction(this.sources.database.connection, async (session) => {
      await write(
        `${sumOf(record)} are sent on HyperCore to ${record.to}${open ? ', once more as it was signed' : ''}`,
        session,
      );
      if (!open) await this.sources.database.spotSends.insert(record, session);
    });
    return record;
  }

  /** Posts a stored transfer unchanged. @returns the result, in a sentence @throws RequestFailure */
  async post(record: SpotSendRecord): Promise<string> {
    const { api } = this;
    if (!api) throw new NotPossibleNow(NO_API);
    const { id, jobId, to, amountWei } = record;
    this.logger.warn({ jobId, to, amountWei: amountWei.toString() }, 'HYPE sent on HyperCore');
    const verdict = await api.send(record.signed).catch(unavailable);
    if (verdict.kind === 'done') {
      await this.sources.database.spotSends.settle(id, 'done');
      return `${sumOf(record)} went on HyperCore to ${to}`;
    }
    await this.sources.database.spotSends.settle(id, 'refused', verdict.words);
    // Not a NotPossibleNow: the command is used up and has its row in the log.
    throw new RequestFailure(
      'NOT_POSSIBLE_NOW',
      `HyperCore refused it: ${verdict.words}; check the balance there before you try again`,
    );
  }

  /** Source: design § 2.1, design § 6. */
  private async assertMaySend({ walletIndex, walletAddress, to }: HyperCoreReturn): Promise<void> {
    if (!isAddressEqual(this.signer.addressOf(walletIndex), walletAddress))
      throw new NotPossibleNow('The wallet is not one of this seed: nothing can be sent');
    const recipient = this.sources.recipients.read(to);
    if (!recipient.ok) throw new NotPossibleNow(recipient.problem);
    if (isAddressEqual(to, walletAddress)) throw new NotPossibleNow("That is the job's own wallet");
    if (await this.sources.database.executions.isWallet(getAddress(to)))
      throw new NotPossibleNow('That is the wallet of another job');
  }

  private async sign(
    { jobId, walletIndex, walletAddress, to, amountWei: expectedWei }: HyperCoreReturn,
    api: HyperCoreApi,
  ): Promise<SpotSendRecord> {
    const balanceWei = await api.hypeBalance(walletAddress).catch(unavailable);
    const amountWei = balanceWei - (balanceWei % HYPERCORE_UNIT_WEI);
    if (amountWei === 0n) throw new NotPossibleNow("There is no HYPE at the job's address on HyperCore");
    if (amountWei !== expectedWei)
      throw new NotPossibleNow(`${formatHype(amountWei)} HYPE are there, but the command names another sum`);
    const { chainId, hyperCore } = this.sources.chain.network;
    const nowMs = this.sources.feed.now();
    const signed = await this.signer.signSpotSend(walletIndex, {
      hyperCoreChain: hyperCore.chain,
      chainId,
      destination: to,
      token: hyperCore.hypeToken,
      amount: formatHype(amountWei),
      timeMs: nowMs,
    });
    return {
      id: `${jobId}/${signed.nonce}`,
      jobId,
      signed,
      amountWei,
      to: getAddress(to),
      signedAt: new Date(nowMs),
      state: 'signed',
    };
  }
}

/** Refuses another transfer while the result of one is unknown: HyperCore might carry out both. */
function assertIsAlike(open: SpotSendRecord, { to, amountWei }: HyperCoreReturn): void {
  if (isAddressEqual(getAddress(open.to), to) && open.amountWei === amountWei) return;
  throw new NotPossibleNow(`The result of the return of ${sumOf(open)} to ${open.to} is unknown: order that one again`);
}

function sumOf({ amountWei }: Pick<SpotSendRecord, 'amountWei'>): string {
  return `${formatHype(amountWei)} HYPE`;
}

function unavailable(error: unknown): never {
  if (!(error instanceof HyperCoreUnavailableError)) throw error;
  throw new RequestFailure('SERVICE_UNAVAILABLE', `${error.message}; order it again: nothing is sent twice`);
}
