import type { Verdict } from './verify-receipt.ts';

/** The verdict in a line or two, for a payer who reads no more. */
export function verdictSummary({ broken, unknown }: Verdict): readonly string[] {
  if (broken) return ['NOT CONFIRMED: do not rely on this receipt.'];
  const count = unknown.length;
  const points = count === 1 ? '1 point is not known: read it' : `${count} points are not known: read them`;
  return [
    'The chain confirms all of this receipt that it can show.',
    ...(count > 0 ? [`${points}. The verifier does not vouch for that, nor for what the service says.`] : []),
  ];
}
