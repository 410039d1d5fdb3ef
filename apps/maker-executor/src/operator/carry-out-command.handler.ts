import { carryOutCommand, executionCancelCommanded, executionResumed, type SignedCommand } from '@maker/contracts';
import { ALL_JOBS, type WriteOutcome } from '@maker/execution-records';
import { HandleRequest, Outbox, RequestFailure } from '@maker/messaging';
import { inTransaction } from '@maker/persistence';
import { Logger } from '@maker/service-kit';
import { type CheckedCommand, CommandRefused, checkCommand } from '@maker/signing/commands';
import { Controller, Inject } from '@nestjs/common';
import { MAKER_CONFIGURATION, type MakerConfiguration } from '../configuration.ts';
import { NotPossibleNow } from '../execution/not-possible-now.ts';
import { TickSources } from '../runner/tick-sources.ts';
import { HyperCoreSender } from './hypercore-sender.ts';
import { ReleaseFunds } from './release-funds.ts';
import { returnFromHyperCore } from './return-from-hypercore.ts';

/**
 * Carries out signed commands that move money, resume jobs or end a job. Only its signatures say which operators gave a command.
 * Each command runs once. One transaction writes its log row and its changes. Source: design § 6, docs/adr/0029.
 */
@Controller()
export class CarryOutCommandHandler {
  constructor(
    @Inject(MAKER_CONFIGURATION) private readonly configuration: MakerConfiguration,
    private readonly sources: TickSources,
    private readonly funds: ReleaseFunds,
    private readonly hyperCore: HyperCoreSender,
    private readonly outbox: Outbox,
    private readonly logger: Logger,
  ) {}

  @HandleRequest(carryOutCommand)
  async carryOut(signed: SignedCommand) {
    const checked = await this.check(signed);
    const { command, operators } = checked;
    const write: WriteOutcome = (outcome, session) =>
      this.sources.database.commands.append(
        { ...signed, nonce: command.nonce, at: new Date(this.sources.feed.now()), outcome },
        session,
      );
    this.logger.warn({ command, operators }, 'signed command carried out');
    try {
      return { outcome: await this.dispatch(checked, signed, write) };
    } catch (error) {
      if (!(error instanceof NotPossibleNow)) throw error;
      await inTransaction(this.sources.database.connection, (session) => write(`refused: ${error.message}`, session));
      throw error;
    }
  }

  private async check(signed: SignedCommand): Promise<CheckedCommand> {
    try {
      const checked = checkCommand(signed, {
        keys: this.configuration.MAKER_OPERATOR_KEYS,
        chainId: this.sources.chain.network.chainId,
        nowMs: this.sources.feed.now(),
      });
      if (await this.sources.database.commands.has(checked.command.nonce))
        throw new CommandRefused('Its nonce was used before');
      return checked;
    } catch (error) {
      this.logger.error({ err: error }, 'command refused: text or signatures not valid');
      throw error instanceof CommandRefused ? new RequestFailure(error.code, error.message) : error;
    }
  }

  private dispatch(
    { command, operators }: CheckedCommand,
    signed: SignedCommand,
    write: WriteOutcome,
  ): Promise<string> {
    switch (command.action) {
      case 'cancel':
        return this.cancel(command.jobId, operators, write);
      case 'resume':
        return this.resume(command.jobId, write);
      case 'resume_all':
        return this.resumeAll(write);
      case 'return':
      case 'release':
        return this.funds.release(command, signed, operators.length, write);
      case 'return_hypercore':
        return returnFromHyperCore(command, operators.length, write, this.sources, this.hyperCore);
    }
  }

  /** Asks the job service to cancel the job. A job that waits for its payment has no execution here. */
  private async cancel(jobId: string, operators: readonly string[], write: WriteOutcome): Promise<string> {
    const execution = await this.sources.database.executions.find(jobId);
    if (execution?.endedAt && execution.phase !== 'never_ran') throw new NotPossibleNow('The job has ended already');
    const outcome = 'the job is cancelled: its tokens are delivered, and its unspent money is returned';
    await inTransaction(this.sources.database.connection, async (session) => {
      await this.outbox.record(executionCancelCommanded, { jobId, data: { operators: [...operators] } }, session);
      await write(outcome, session);
    });
    return outcome;
  }

  private async resume(jobId: string, write: WriteOutcome): Promise<string> {
    const execution = await this.sources.database.executions.find(jobId);
    if (!execution) throw new NotPossibleNow('This job has no execution');
    const { facts, pauses, connection } = this.sources.database;
    const resumed = await inTransaction(connection, async (session) => {
      if (!(await facts.resume(jobId, session))) return false;
      await pauses.endByOperator(jobId, new Date(this.sources.feed.chainNowMs), session);
      await this.outbox.record(executionResumed, { jobId, data: { reason: 'operator' } }, session);
      await write('the job continues', session);
      return true;
    });
    if (!resumed) throw new NotPossibleNow('The job is not paused by an operator');
    return 'the job continues';
  }

  private async resumeAll(write: WriteOutcome): Promise<string> {
    const { facts, pauses, connection } = this.sources.database;
    await inTransaction(connection, async (session) => {
      await facts.resume(ALL_JOBS, session);
      await pauses.endByOperator(ALL_JOBS, new Date(this.sources.feed.chainNowMs), session);
      await write('all jobs continue', session);
    });
    return 'all jobs continue';
  }
}
