import type { KeyObject } from 'node:crypto';
import { type SignedCommand, type SignedText, signedTextSchema } from '@maker/contracts';
import { RequestFailure } from '@maker/messaging';
import { isSignedBy } from '@maker/signing/commands';
import type { ClientSession } from 'mongoose';

/** A command is valid for this long at most, so that none lies about for ever; two operators may need a day. */
const LONGEST_VALIDITY_MS = 48 * 3_600_000;

/** A command that nobody entitled has given in this form: nothing was changed; a sentence says what is wrong with it. */
export class CommandRefused extends RequestFailure {
  constructor(message: string) {
    super('COMMAND_REFUSED', message);
  }
}

/** What a command is held against. */
export interface CommandRules {
  /** Public keys by the operator's name. */
  readonly keys: ReadonlyMap<string, KeyObject>;
  readonly chainId: number;
  readonly nowMs: number;
}

/** A command of which it is known who gave it. */
export interface CheckedCommand {
  readonly command: SignedText;
  /** Different people, at least one. */
  readonly operators: readonly string[];
}

/** Writes how a command ended, in the transaction of what it did. */
export type WriteOutcome = (outcome: string, session: ClientSession) => Promise<void>;

/**
 * Checks who gave a command, and that it is meant for this chain and now. Whoever carried it is not asked: neither the
 * gateway nor NATS can make one. That it is used once is the log's matter. Source: design § 6, docs/adr/0029.
 * @throws CommandRefused
 */
export function checkCommand(
  { text, signatures }: SignedCommand,
  { keys, chainId, nowMs }: CommandRules,
): CheckedCommand {
  const operators = signatures.map(({ operator }) => operator);
  if (new Set(operators).size !== operators.length) throw new CommandRefused('An operator signed it twice');
  for (const { operator, signature } of signatures) {
    const key = keys.get(operator);
    if (!key) throw new CommandRefused(`No operator '${operator}' is known`);
    if (!isSignedBy(text, signature, key)) throw new CommandRefused(`The signature of '${operator}' is not under it`);
  }
  const command = readText(text);
  if (command.chainId !== chainId)
    throw new CommandRefused(`It is meant for chain ${command.chainId}, and this is ${chainId}`);
  const leftMs = Date.parse(command.expiresAt) - nowMs;
  if (leftMs <= 0) throw new CommandRefused(`It expired at ${command.expiresAt}`);
  if (leftMs > LONGEST_VALIDITY_MS) throw new CommandRefused('It is valid for more than 48 hours');
  return { command, operators };
}

function readText(text: string): SignedText {
  try {
    return signedTextSchema.parse(JSON.parse(text));
  } catch {
    throw new CommandRefused('Its text is no command');
  }
}
