import type { CommandLogResponse, CommandLogRow } from '@maker/contracts';
import { FIRST_HASH, hashOfRow } from '@maker/signing/commands';
import { CommandError } from '../command-error.ts';
import type { Printed } from '../output.ts';
import type { OperatorApi } from './operator-api.ts';

const PAGE = 200;

/** A row of the log of signed commands was changed or removed. */
export class BrokenLogError extends CommandError {
  readonly code = 'COMMAND_LOG_BROKEN';

  constructor(problem: string) {
    super(`The log of signed commands was changed: ${problem}`);
  }
}

/**
 * Checks the hash of each row of the log and its link to the row before.
 * @param head a hash that the log had earlier; without it, rows removed from the end stay undetected
 * @returns a line for each row, then a summary @throws BrokenLogError
 */
export async function* checkLog(api: OperatorApi, head: string | undefined): AsyncGenerator<Printed> {
  let previous: Pick<CommandLogRow, 'number' | 'hash'> = { number: 0, hash: FIRST_HASH };
  let isHeadSeen = head === undefined || head === FIRST_HASH;
  for (;;) {
    const query = { after: `${previous.number}`, limit: `${PAGE}` };
    const { commands } = await api.get<CommandLogResponse>('/commands', query);
    for (const row of commands) {
      expectNext(row, previous);
      isHeadSeen ||= row.hash === head;
      previous = row;
      const operators = row.signatures.map(({ operator }) => operator).join(' and ');
      yield { text: `${row.number}  ${row.at}  by ${operators}  ${row.text}  → ${row.outcome}`, json: row };
    }
    if (commands.length < PAGE) break;
  }
  if (!isHeadSeen) throw new BrokenLogError(`no row has the hash ${head}`);
  yield {
    text: `${previous.number} rows, each as it was written. The newest hash is ${previous.hash}: note it for the next audit (--head)`,
    json: { rows: previous.number, head: previous.hash },
  };
}

function expectNext(row: CommandLogRow, previous: Pick<CommandLogRow, 'number' | 'hash'>): void {
  if (row.number !== previous.number + 1) throw new BrokenLogError(`row ${previous.number + 1} is missing`);
  if (row.previousHash !== previous.hash) throw new BrokenLogError(`row ${row.number} does not follow the one before`);
  if (hashOfRow(row) !== row.hash) throw new BrokenLogError(`row ${row.number} is not as it was written`);
}
