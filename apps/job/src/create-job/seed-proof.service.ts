import { randomBytes } from 'node:crypto';
import { proveSeed, SEED_PROOF_WITHDRAWN_SUBJECT } from '@maker/contracts';
import { NATS_CONNECTION, RequestClient, RequestFailure } from '@maker/messaging';
import { Logger, Readiness, SingleFlight, SteadyClock } from '@maker/service-kit';
import { deriveAddress, isSeedProof } from '@maker/signing/derivation';
import type { NatsConnection } from '@nats-io/transport-node';
import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { JOB_CONFIGURATION, type JobConfiguration } from '../configuration.ts';

/** How long a proof is valid, ms. The seed of maker-executor may change while this process runs. */
const PROVEN_MS = 60_000;
/** Time until the next request after a proof of another seed, ms. */
const REFUTED_MS = 1000;

/** No job is created, because the executor could not send the money of its wallet. */
export class XpubMismatch extends RequestFailure {
  constructor() {
    super(
      'XPUB_MISMATCH',
      'No job can be created: the payment addresses are not those of the executor. Nothing was paid.',
    );
  }
}

/**
 * Creates no job before maker-executor has proven that it holds the seed of `JOB_ACCOUNT_XPUB`: a payment to a wallet of another seed
 * would be lost. An earlier proof stays valid while the executor does not answer, and until an executor starts. Source: docs/adr/0096
 * and 0151.
 */
@Injectable()
export class SeedProofService implements OnApplicationBootstrap {
  private readonly firstWallet: ReturnType<typeof deriveAddress>;
  private readonly proofs = new SingleFlight<void>();
  /** Undefined before the first answer, and after an executor's start. */
  private isProven: boolean | undefined;
  private nextAtMs = 0;
  /** Number of starts of executors so far: an answer to an earlier request proves nothing. */
  private starts = 0;

  constructor(
    @Inject(JOB_CONFIGURATION) configuration: JobConfiguration,
    private readonly logger: Logger,
    private readonly requests: RequestClient,
    private readonly clock: SteadyClock,
    readiness: Readiness,
    @Inject(NATS_CONNECTION) private readonly nats: Pick<NatsConnection, 'subscribe'>,
  ) {
    this.firstWallet = deriveAddress(configuration.JOB_ACCOUNT_XPUB, 0);
    readiness.add('xpub', async () => {
      // Recovers without a visitor. A missing answer does not make this service unready: maker-executor has its own alerts.
      await this.renew().catch(() => undefined);
      if (this.isProven === false) throw new Error('JOB_ACCOUNT_XPUB is not of the seed that maker-executor holds');
    });
  }

  /** Begins early, so that no visitor waits for the proof. */
  onApplicationBootstrap(): void {
    this.nats.subscribe(SEED_PROOF_WITHDRAWN_SUBJECT, { callback: () => this.withdraw() });
    this.renewInBackground();
  }

  /** Withdraws the proof: an executor starts. No job is created until it is given again. */
  private withdraw(): void {
    this.starts += 1;
    this.isProven = undefined;
    this.nextAtMs = 0;
    this.renewInBackground();
  }

  /** @throws XpubMismatch @throws RequestFailedError if there is no earlier proof and maker-executor does not answer */
  async assertProven(): Promise<void> {
    if (this.isProven) this.renewInBackground();
    else await this.renew();
    if (!this.isProven) throw new XpubMismatch();
  }

  private renewInBackground(): void {
    void this.renew().catch((error: unknown) => this.logger.debug({ err: error }, 'seed not proven yet'));
  }

  private async renew(): Promise<void> {
    if (this.clock.now() >= this.nextAtMs) await this.proofs.run(`${this.starts}`, () => this.ask());
  }

  private async ask(): Promise<void> {
    const { starts } = this;
    const challenge = `0x${randomBytes(32).toString('hex')}` as const;
    const { signature } = await this.requests.request(proveSeed, { challenge });
    const isProven = await isSeedProof(this.firstWallet, challenge, signature);
    if (starts !== this.starts) return this.renew();
    if (!isProven && this.isProven !== false)
      this.logger.error(
        { firstWallet: this.firstWallet },
        'xpub refuted, maker-executor holds another seed; no job is created: check that JOB_ACCOUNT_XPUB belongs to MAKER_SEED_FILE',
      );
    this.isProven = isProven;
    this.nextAtMs = this.clock.now() + (isProven ? PROVEN_MS : REFUTED_MS);
  }
}
