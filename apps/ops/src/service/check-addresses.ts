import { type ParsedAddress, parseAddress, parseRecipient } from '@maker/rules';
import { CommandError, UsageError } from '../command-error.ts';
import type { Printed } from '../output.ts';

/** An address of the settings is wrong. */
export class WrongAddressError extends CommandError {
  readonly code = 'WRONG_ADDRESS';
}

/** Settings that name a recipient of money. */
const RECIPIENTS: readonly string[] = ['treasury'];

/** Checks addresses of settings, `<setting>=<address>`. @returns the output @throws UsageError @throws WrongAddressError that names each wrong setting */
export function checkAddresses(settings: readonly string[]): Printed {
  const problems = settings.flatMap((one) => {
    const [setting = '', typed = ''] = one.split('=');
    if (!one.includes('=')) throw new UsageError(`'${one}' is not <setting>=<address>`);
    const parsed: ParsedAddress = RECIPIENTS.includes(setting) ? parseRecipient(typed) : parseAddress(typed);
    return parsed.ok ? [] : [`${setting} ${typed}: ${parsed.problem}`];
  });
  if (problems.length > 0) throw new WrongAddressError(problems.join('; '));
  return { text: `${settings.length} addresses have a right checksum`, json: { addresses: settings.length } };
}
