import { signReceipt } from '@maker/contracts';
import { HandleRequest, RequestFailure } from '@maker/messaging';
import { Clock } from '@maker/service-kit';
import { Controller } from '@nestjs/common';
import type { Address, Hash } from 'viem';
import type { z } from 'zod';
import { MakerDatabase } from '../database.ts';
import { NotPossibleNow } from '../execution/not-possible-now.ts';
import { JobWalletSigner } from '../wallet/job-wallet-signer.ts';
import { ReceiptSignaturesRepository } from './receipt-signatures.repository.ts';

/** Most receipts that this process signs in a second, at some 3 ms each, so that orders keep most of the CPU time. */
const MOST_PER_SECOND = 20;

/** Signs receipts of the receipts service, each with the wallet of its job. Source: docs/adr/0074. */
@Controller()
export class SignReceiptHandler {
  private readonly signatures: ReceiptSignaturesRepository;
  private second = 0;
  private count = 0;

  constructor(
    private readonly database: MakerDatabase,
    private readonly signer: JobWalletSigner,
    private readonly clock: Clock,
  ) {
    this.signatures = new ReceiptSignaturesRepository(database.connection);
  }

  /** @throws ReceiptPolicyError for anything but a receipt of the job */
  @HandleRequest(signReceipt)
  async sign({ contentHash, wallet, ...summary }: z.output<typeof signReceipt.request>) {
    this.assertRoom();
    const execution = await this.database.executions.find(summary.jobId);
    if (!execution) throw new NotPossibleNow('This job has no execution');
    const isClaimed = await this.signatures.claim(execution, new Date(this.clock.now()));
    if (!isClaimed) throw new NotPossibleNow('A receipt of this job was signed within the last seconds');
    const head = { ...summary, wallet: wallet as Address };
    return { signature: await this.signer.signReceipt(execution, head, contentHash as Hash) };
  }

  private assertRoom(): void {
    const second = Math.floor(this.clock.now() / 1000);
    this.count = second === this.second ? this.count + 1 : 1;
    this.second = second;
    if (this.count > MOST_PER_SECOND)
      throw new RequestFailure('SERVICE_UNAVAILABLE', 'Too many receipts to sign in this second');
  }
}
