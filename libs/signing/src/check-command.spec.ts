import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { type CommandRules, checkCommand } from './check-command.ts';
import { publicKeyText, readPublicKey, signCommand } from './command-signature.ts';

const NOW = Date.parse('2026-11-22T12:00:00.000Z');
const anna = generateKeyPairSync('ed25519').privateKey;
const bob = generateKeyPairSync('ed25519').privateKey;
const rules: CommandRules = {
  keys: new Map([
    ['anna', readPublicKey(publicKeyText(anna))],
    ['bob', readPublicKey(publicKeyText(bob))],
  ]),
  chainId: 999,
  nowMs: NOW,
};
const command = {
  action: 'cancel',
  chainId: 999,
  jobId: `job_${'a'.repeat(32)}`,
  reason: 'the payer asked',
  nonce: '0f5c2f4e-8f1e-4f8e-9d8e-3b0c3a1f2d4e',
  expiresAt: '2026-11-22T12:10:00.000Z',
};
const text = JSON.stringify(command);
const by = (operator: string, key = anna, signed = text) => ({ operator, signature: signCommand(signed, key) });

describe('checkCommand (design § 6)', () => {
  it('returns the operators who signed a command', () => {
    const signed = { text, signatures: [by('anna'), by('bob', bob)] };
    expect(checkCommand(signed, rules)).toEqual({ command, operators: ['anna', 'bob'] });
  });

  it.each([
    ['an unknown operator', [by('eve')], /No operator 'eve'/],
    ['another operator by name', [by('bob')], /signature of 'bob'/],
    ['an operator under another text', [by('anna', anna, `${text} `)], /signature of 'anna'/],
    ['an operator who signed twice', [by('anna'), by('anna')], /twice/],
    ['one of two operators', [by('anna'), by('bob')], /signature of 'bob'/],
  ])('refuses the signature of %s', (_, signatures, message) => {
    expect(() => checkCommand({ text, signatures }, rules)).toThrow(message);
  });

  it('accepts a validity of exactly 48 hours', () => {
    const longest = JSON.stringify({ ...command, expiresAt: '2026-11-24T12:00:00.000Z' });
    const signed = { text: longest, signatures: [by('anna', anna, longest)] };
    expect(checkCommand(signed, rules).operators).toEqual(['anna']);
  });

  it('reports a refusal by name and code', () => {
    const refusal = { name: 'CommandRefused', code: 'COMMAND_REFUSED' };
    expect(() => checkCommand({ text, signatures: [by('eve')] }, rules)).toThrow(expect.objectContaining(refusal));
    const garbage = { text: '{', signatures: [by('anna', anna, '{')] };
    expect(() => checkCommand(garbage, rules)).toThrow(expect.objectContaining(refusal));
  });

  it.each([
    ['for another chain', { chainId: 998 }, /chain 998/],
    ['that expired', { expiresAt: '2026-11-22T12:00:00.000Z' }, /expired/],
    ['that is valid for too long', { expiresAt: '2026-11-25T12:00:00.000Z' }, /48 hours/],
    ['of another kind', { action: 'mint' }, /not a valid command/],
    ['with a field too many', { to: `0x${'1'.repeat(40)}` }, /not a valid command/],
    ['without its job', { jobId: undefined }, /not a valid command/],
  ])('refuses a well signed command %s', (_, change, message) => {
    const other = JSON.stringify({ ...command, ...change });
    const signed = { text: other, signatures: [by('anna', anna, other)] };
    expect(() => checkCommand(signed, rules)).toThrow(message);
  });
});
