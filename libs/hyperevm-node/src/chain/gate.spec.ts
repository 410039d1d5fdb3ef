import { describe, expect, it } from 'vitest';
import { Gate } from './gate.ts';

/** Lets all pending promises continue. */
const turns = () => new Promise((resolve) => setImmediate(resolve));

describe('a gate', () => {
  it('delays a change until readers finish', async () => {
    const gate = new Gate();
    const { promise: answer, resolve: end } = Promise.withResolvers<void>();
    const order: string[] = [];
    const all = [
      gate.pass(() => answer.then(() => order.push('asked'))),
      gate.close(async () => order.push('changed')),
      gate.pass(async () => order.push('asked later')),
    ];
    await turns();
    expect(order).toEqual([]);
    end();
    await Promise.all(all);
    expect(order).toEqual(['asked', 'changed', 'asked later']);
  });

  it('admits waiting readers before it closes again', async () => {
    const gate = new Gate();
    const order: string[] = [];
    const changes = (async () => {
      for (const what of ['first change', 'second change']) await gate.close(async () => order.push(what));
    })();
    await gate.pass(async () => order.push('asked'));
    await changes;
    expect(order).toEqual(['first change', 'asked', 'second change']);
  });

  it('is open after a failed read or change', async () => {
    const gate = new Gate();
    const fail = () => Promise.reject(new Error('failed'));
    await expect(gate.pass(fail)).rejects.toThrow('failed');
    await expect(gate.close(fail)).rejects.toThrow('failed');
    expect(await gate.close(async () => 'changed')).toBe('changed');
    expect(await gate.pass(async () => 'asked')).toBe('asked');
  });
});
