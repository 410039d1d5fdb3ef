import { type ParsedAddress, parseAddress, parseRecipient } from '@maker/rules';
import { CommandError, UsageError } from '../command-error.ts';

/** Usage text of the command. */
export const CHECK_ADDRESSES_USAGE = `usage: npm run ops -- check-addresses <setting>=<address>...
  checks addresses of an installation's settings; the chart's hook runs it before an installation or upgrade changes anything`;

/** An address of the settings is wrong. */
export class WrongAddressError extends CommandError {
  readonly code = 'WRONG_ADDRESS';
}

/** Settings that name a recipient of money. */
const RECIPIENTS: readonly string[] = ['treasury'];

/** Checks the addresses of settings. @returns the output @throws UsageError @throws WrongAddressError that names each wrong setting */
export function checkAddresses(args: readonly string[]): string {
  if (args.length === 0 || !args.every((arg) => arg.includes('='))) throw new UsageError(CHECK_ADDRESSES_USAGE);
  const problems = args.flatMap((arg) => {
    const [setting = '', typed = ''] = arg.split('=');
    const parsed: ParsedAddress = RECIPIENTS.includes(setting) ? parseRecipient(typed) : parseAddress(typed);
    return parsed.ok ? [] : [`${setting} ${typed}: ${parsed.problem}`];
  });
  if (problems.length > 0) throw new WrongAddressError(problems.join('; '));
  return `${args.length} addresses have a right checksum`;
}

/** Parses an address of an option. @throws UsageError that names it */
export function readAddress(option: string, typed: string, parse: (typed: string) => ParsedAddress = parseAddress) {
  const parsed = parse(typed);
  if (!parsed.ok) throw new UsageError(`${option} ${typed}: ${parsed.problem}`);
  return parsed.address;
}
