import { randomUUID } from 'node:crypto';
import {
  carryOutCommand,
  findOnHyperCore,
  getJobTimeline,
  type OperatorActionEntry,
  type OperatorCommandName,
  type OperatorCommandResponse,
  type Redelivery,
  rebroadcast,
  recordOperatorAction,
  redeliverWebhooks,
  type SignedCommand,
  type SignedText,
  setPause,
  signedTextSchema,
} from '@maker/contracts';
import { RequestClient, RequestFailedError } from '@maker/messaging';
import { formatHype, formatUnits } from '@maker/rules';
import { Logger } from '@maker/service-kit';
import { Injectable } from '@nestjs/common';
import { ApiError } from '../errors/api-error.ts';

/** Timeout of a request that may use HyperCore twice, ms: maker-executor reads the sum and posts the transfer. */
const HYPERCORE_TIMEOUT_MS = 12_000;

/** A command of an operator, with its job and reason. */
export interface OperatorCommand {
  readonly action: OperatorCommandName;
  /** Absent if the command concerns all jobs. */
  readonly jobId?: string;
  /** Name of the API key. */
  readonly operator: string;
  readonly reason: string;
  /** Recipient of a release. */
  readonly to?: `0x${string}`;
}

/**
 * Carries out operators’ commands. The audit log gets each command before it is carried out, and its end afterwards. A
 * command that cannot be logged is not carried out. A command without an end in the log was interrupted.
 */
@Injectable()
export class OperatorCommands {
  constructor(
    private readonly requests: RequestClient,
    private readonly logger: Logger,
  ) {}

  /** @throws RequestFailedError such as `JOB_NOT_FOUND` or `NOT_POSSIBLE_NOW`, which the audit log has too */
  async carryOut(command: OperatorCommand): Promise<OperatorCommandResponse> {
    return this.logged(command, () => this.send(command));
  }

  /**
   * Passes on a signed command. The audit log gets its text without a check: only maker-executor verifies the
   * signatures.
   * @throws ApiError if the text is not a command
   */
  async carryOutSigned(signed: SignedCommand, operator: string): Promise<OperatorCommandResponse> {
    const { action, reason, ...rest } = readText(signed.text);
    const command: OperatorCommand = {
      action,
      reason,
      operator,
      ...('jobId' in rest && { jobId: rest.jobId }),
      ...('to' in rest && { to: rest.to }),
    };
    return this.logged(command, () =>
      action === 'return_hypercore' ? this.returnFromHyperCore(signed, command) : this.pass(signed),
    );
  }

  /** Sends webhooks again. @throws RequestFailedError such as `NOT_FOUND`, which the audit log has too */
  async redeliver(
    which: Redelivery,
    by: Pick<OperatorCommand, 'operator' | 'reason'>,
  ): Promise<OperatorCommandResponse> {
    return this.logged({ action: 'redeliver_webhooks', ...by }, () => this.requests.request(redeliverWebhooks, which));
  }

  private pass(signed: SignedCommand, timeoutMs?: number): Promise<{ outcome: string }> {
    return this.requests.request(carryOutCommand, signed, timeoutMs);
  }

  private async logged(
    command: OperatorCommand,
    carryOut: () => Promise<{ outcome: string }>,
  ): Promise<OperatorCommandResponse> {
    const actionId = randomUUID();
    await this.write({ ...command, actionId, kind: 'ordered' });
    try {
      const { outcome } = await carryOut();
      await this.writeEnd({ ...command, actionId, kind: 'done', outcome });
      return { actionId, outcome };
    } catch (error) {
      const outcome = error instanceof RequestFailedError ? `${error.code}: ${error.message}` : 'it failed';
      await this.writeEnd({ ...command, actionId, kind: 'refused', outcome });
      throw error;
    }
  }

  private send({ action, jobId, operator }: OperatorCommand): Promise<{ outcome: string }> {
    const ofJob = { jobId: jobId ?? '' };
    switch (action) {
      case 'check_hypercore':
        return this.findOnHyperCore(ofJob.jobId);
      case 'rebroadcast':
        return this.requests.request(rebroadcast, ofJob);
      default:
        return this.requests.request(setPause, { ...(jobId && { jobId }), operator });
    }
  }

  private async findOnHyperCore(jobId: string): Promise<{ outcome: string }> {
    const { job } = await this.requests.request(getJobTimeline, { jobId });
    const wallet = { jobId, walletAddress: job.paymentAddress };
    const { amountWei, tokens } = await this.requests.request(findOnHyperCore, wallet, HYPERCORE_TIMEOUT_MS);
    const found = tokens.map(
      ({ amount, decimals, symbol, tokenAddress }) =>
        `; ${formatUnits(BigInt(amount), decimals)} ${symbol} (${tokenAddress}) on HyperEVM`,
    );
    return {
      outcome: `${formatHype(BigInt(amountWei))} HYPE are on HyperCore at ${job.paymentAddress}${found.join('')}`,
    };
  }

  /** Returns HYPE from HyperCore, and searches again, so that the payer sees the new balance. */
  private async returnFromHyperCore(
    signed: SignedCommand,
    { jobId = '' }: OperatorCommand,
  ): Promise<{ outcome: string }> {
    const { outcome } = await this.pass(signed, HYPERCORE_TIMEOUT_MS);
    const found = await this.findOnHyperCore(jobId).catch((error: unknown) => {
      this.logger.error({ err: error, jobId }, 'HyperCore query failed after a return');
      return { outcome: 'balance unknown; search again' };
    });
    return { outcome: `${outcome}; ${found.outcome}` };
  }

  private async write(entry: Omit<OperatorActionEntry, 'at'>): Promise<void> {
    await this.requests.request(recordOperatorAction, entry);
  }

  /** Logs the end of a command. A failure to log it must not appear as a failure of the command. */
  private async writeEnd(entry: Omit<OperatorActionEntry, 'at'>): Promise<void> {
    try {
      await this.write(entry);
    } catch (error) {
      this.logger.error({ err: error, actionId: entry.actionId }, 'audit entry of an operator’s command lost');
    }
  }
}

function readText(text: string): SignedText {
  try {
    return signedTextSchema.parse(JSON.parse(text));
  } catch {
    throw new ApiError('INVALID_REQUEST', 'The text of the command cannot be read');
  }
}
