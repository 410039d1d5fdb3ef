import type { KeyObject } from 'node:crypto';
import { operatorNameSchema } from '@maker/contracts';
import { readPublicKey } from './command-signature.ts';

/**
 * Reads the public keys of operators by name, from `name:key` separated by commas. Two operators must not share a key: one person could
 * sign for both.
 * @param refuse called with each problem, a sentence
 */
export function readOperatorKeys(text: string, refuse: (problem: string) => void): ReadonlyMap<string, KeyObject> {
  const pairs = text === '' ? [] : text.split(',').map((pair) => pair.trim().split(':'));
  const keys = new Map<string, KeyObject>();
  for (const [name = '', key = ''] of pairs) {
    try {
      if (keys.has(operatorNameSchema.parse(name))) throw new Error('it is named twice');
      keys.set(name, readPublicKey(key));
    } catch {
      refuse(`'${name}' has no valid name or key, or occurs twice`);
    }
  }
  if (new Set(pairs.map(([, key]) => key)).size !== pairs.length) refuse('two operators have the same key');
  return keys;
}
