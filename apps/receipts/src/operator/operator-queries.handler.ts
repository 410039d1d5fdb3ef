import { type CommandLogQuery, listCommands, listLedger } from '@maker/contracts';
import { ExecutionRecords } from '@maker/execution-records';
import { HandleRequest } from '@maker/messaging';
import { Controller } from '@nestjs/common';
import type { z } from 'zod';

/** Answers operators' requests for maker-executor's ledger and log of commands. */
@Controller()
export class OperatorQueriesHandler {
  constructor(private readonly records: ExecutionRecords) {}

  @HandleRequest(listCommands)
  async commands({ after, limit }: CommandLogQuery) {
    return { commands: await this.records.commands.list(after, limit) };
  }

  @HandleRequest(listLedger)
  async lines({ jobId, afterId, limit }: z.output<typeof listLedger.request>) {
    const entries = await this.records.ledger.list(jobId, afterId, limit);
    return {
      lines: entries.map(({ jobId: _, amountWei, recordedAt, ...same }) => ({
        ...same,
        amount: amountWei.toString(),
        recordedAt: recordedAt.toISOString(),
      })),
    };
  }
}
