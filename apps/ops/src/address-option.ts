import { type ParsedAddress, parseAddress } from '@maker/rules';
import { UsageError } from './command-error.ts';

/** Parses an address of an option. @throws UsageError that names it */
export function readAddress(option: string, typed: string, parse: (typed: string) => ParsedAddress = parseAddress) {
  const parsed = parse(typed);
  if (!parsed.ok) throw new UsageError(`${option} ${typed}: ${parsed.problem}`);
  return parsed.address;
}
