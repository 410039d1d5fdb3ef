import { randomUUID } from 'node:crypto';
import { operatorNameSchema, type SignedCommand, type SignedText, signedCommandSchema } from '@maker/contracts';
import { commandText, commandToSign, readPrivateKey, signCommand } from '@maker/signing/commands';
import { readOperatorKeyFile } from '@maker/signing/private';
import { UsageError } from '../command-error.ts';

const signatureSchema = signedCommandSchema.shape.signatures.element;

/** A command without the fields that the signer adds. */
export type CommandContent<Text = SignedText> = Text extends unknown
  ? Omit<Text, 'chainId' | 'nonce' | 'expiresAt'>
  : never;

/**
 * Signs a command with the operator's key on this machine: `OPS_OPERATOR` with the key in `OPS_KEY_FILE` (and
 * `OPS_KEY_PASSPHRASE_FILE`), for the chain `OPS_CHAIN_ID`. The chain does not come from the API, so a hostile API gets no
 * signature for another chain. Source: design § 6.
 * @param validForMs how long the command is valid
 * @throws UsageError if one of them is missing @throws SeedFileError @throws OperatorKeyError
 */
export async function signedCommand(
  content: CommandContent,
  validForMs: number,
  environment: NodeJS.ProcessEnv,
): Promise<SignedCommand> {
  const { OPS_OPERATOR, OPS_KEY_FILE, OPS_KEY_PASSPHRASE_FILE } = environment;
  if (!OPS_OPERATOR || !OPS_KEY_FILE)
    throw new UsageError(
      'this command needs your signature: add --unsigned, sign what it prints, and run give (docs/keys.md); ' +
        'or set OPS_OPERATOR and OPS_KEY_FILE where your key is',
    );
  const operator = operatorNameSchema.safeParse(OPS_OPERATOR);
  if (!operator.success) throw new UsageError(`OPS_OPERATOR '${OPS_OPERATOR}' is not the name of an operator`);
  const key = readPrivateKey(await readOperatorKeyFile(OPS_KEY_FILE, OPS_KEY_PASSPHRASE_FILE || undefined));
  const text = JSON.stringify(complete(content, chainIdOf(environment), validForMs));
  return { text, signatures: [{ operator: operator.data, signature: signCommand(text, key) }] };
}

function complete(content: CommandContent, chainId: number, validForMs: number): SignedText {
  return { ...content, chainId, nonce: randomUUID(), expiresAt: new Date(Date.now() + validForMs).toISOString() };
}

/** The chain that commands are signed for. @throws UsageError */
function chainIdOf({ OPS_CHAIN_ID }: NodeJS.ProcessEnv): number {
  const chainId = Number(OPS_CHAIN_ID);
  if (!Number.isInteger(chainId) || chainId <= 0) throw new UsageError('set OPS_CHAIN_ID to the chain of the product');
  return chainId;
}

/**
 * Makes a command for operators who sign with their own tool on another machine.
 * @param validForMs how long the command is valid @returns the bytes to sign, as text, with a line break at its end
 */
export function unsignedCommand(content: CommandContent, validForMs: number, environment: NodeJS.ProcessEnv): string {
  return commandToSign(`${JSON.stringify(complete(content, chainIdOf(environment), validForMs))}\n`);
}

/**
 * Adds signatures from another machine to a command.
 * @param signed the text from {@link unsignedCommand} @param signatures `<operator>=<signature in base64>`, separated by commas
 * @throws UsageError
 */
export function withSignatures(signed: string, signatures: string): SignedCommand {
  const text = commandText(signed);
  if (text === undefined) throw new UsageError('the input holds no command: pipe the output of --unsigned into it');
  const parsed = signatures.split(',').map((one) => {
    const [, operator, base64 = ''] = /^([^=]*)=(.*)$/.exec(one) ?? [];
    const signature = signatureSchema.safeParse({
      operator,
      signature: Buffer.from(base64, 'base64').toString('base64url'),
    });
    if (!signature.success) throw new UsageError(`'${one}' is not <operator>=<signature of 64 bytes in base64>`);
    return signature.data;
  });
  const command = signedCommandSchema.safeParse({ text, signatures: parsed });
  if (!command.success) throw new UsageError('the command is too long, or has too many signatures');
  return command.data;
}
