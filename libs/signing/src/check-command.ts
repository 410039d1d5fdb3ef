import type { KeyObject } from 'node:crypto';
import { type SignedCommand, type SignedText, signedTextSchema } from '@maker/contracts';
import { isSignedBy } from './command-signature.ts';

/** Longest validity of a command: it must expire, but a second operator may need a day to sign it. */
const LONGEST_VALIDITY_MS = 48 * 3_600_000;

/** The text or a signature of a command is not valid. Nothing was changed; the message says what is wrong. */
export class CommandRefused extends Error {
  readonly code = 'COMMAND_REFUSED';

  constructor(message: string) {
    super(message);
    this.name = 'CommandRefused';
  }
}

/** Values that a command is checked against. */
export interface CommandRules {
  /** Public keys by the operator's name. */
  readonly keys: ReadonlyMap<string, KeyObject>;
  readonly chainId: number;
  readonly nowMs: number;
}

/** A command whose signatures are valid. */
export interface CheckedCommand {
  readonly command: SignedText;
  /** Names of the operators who signed it, all different, at least one. */
  readonly operators: readonly string[];
}

/**
 * Checks a command's signatures, chain and expiry. The way it came does not count: neither the gateway nor NATS can make
 * a valid one. The log of commands prevents a second use. Source: design § 6, docs/adr/0029.
 * @throws CommandRefused
 */
export function checkCommand(signed: SignedCommand, { keys, chainId, nowMs }: CommandRules): CheckedCommand {
  const checked = checkSignatures(signed, keys);
  const { command } = checked;
  if (command.chainId !== chainId)
    throw new CommandRefused(`It is for chain ${command.chainId}, but this is chain ${chainId}`);
  const leftMs = Date.parse(command.expiresAt) - nowMs;
  if (leftMs <= 0) throw new CommandRefused(`It expired at ${command.expiresAt}`);
  if (leftMs > LONGEST_VALIDITY_MS) throw new CommandRefused('It is valid for more than 48 hours');
  return checked;
}

/** Checks a command's form and signatures only. A command that was carried out stays signed after its expiry. @throws CommandRefused */
export function checkSignatures({ text, signatures }: SignedCommand, keys: CommandRules['keys']): CheckedCommand {
  const operators = signatures.map(({ operator }) => operator);
  if (new Set(operators).size !== operators.length) throw new CommandRefused('An operator signed it twice');
  for (const { operator, signature } of signatures) {
    const key = keys.get(operator);
    if (!key) throw new CommandRefused(`No operator '${operator}' is known`);
    if (!isSignedBy(text, signature, key)) throw new CommandRefused(`The signature of '${operator}' does not match it`);
  }
  return { command: readText(text), operators };
}

function readText(text: string): SignedText {
  try {
    return signedTextSchema.parse(JSON.parse(text));
  } catch {
    throw new CommandRefused('Its text is not a valid command');
  }
}
