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

/** HyperCore is asked and answers on the way, twice at most: maker-executor looks at the sum and posts. */
const HYPERCORE_TIMEOUT_MS = 12_000;

/** What an operator commands, of which job, and why. */
export interface OperatorCommand {
  readonly action: OperatorCommandName;
  /** Absent where it concerns all jobs. */
  readonly jobId?: string;
  /** Name of the API key. */
  readonly operator: string;
  readonly reason: string;
  /** Recipient of a release. */
  readonly to?: `0x${string}`;
}

/**
 * Carries out operators’ commands. Each is written to the audit log before anything is done, and its end after that: a
 * command that cannot be written is not carried out, and one that has no end in the log was cut off.
 */
@Injectable()
export class OperatorCommands {
  constructor(
    private readonly requests: RequestClient,
    private readonly logger: Logger,
  ) {}

  /** @throws RequestFailedError such as `JOB_NOT_FOUND` or `NOT_POSSIBLE_NOW`, which is in the audit log as well */
  async carryOut(command: OperatorCommand): Promise<OperatorCommandResponse> {
    return this.logged(command, () => this.send(command));
  }

  /**
   * Hands a signed command on. What its text says is written down as somebody's word: whether it is an operator's is
   * maker-executor's to say.
   * @throws ApiError where the text is no command
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

  /** Sends webhooks again. @throws RequestFailedError such as `NOT_FOUND`, which is in the audit log as well */
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

  /** What is there afterwards is looked at, so that the payer is told. */
  private async returnFromHyperCore(
    signed: SignedCommand,
    { jobId = '' }: OperatorCommand,
  ): Promise<{ outcome: string }> {
    const { outcome } = await this.pass(signed, HYPERCORE_TIMEOUT_MS);
    const look = await this.findOnHyperCore(jobId).catch((error: unknown) => {
      this.logger.error({ err: error, jobId }, 'HyperCore query failed after a return');
      return { outcome: 'what is there now is not known: look again' };
    });
    return { outcome: `${outcome}; ${look.outcome}` };
  }

  private async write(entry: Omit<OperatorActionEntry, 'at'>): Promise<void> {
    await this.requests.request(recordOperatorAction, entry);
  }

  /** What was done is done: that its end could not be written must not look like a failure of the command. */
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
