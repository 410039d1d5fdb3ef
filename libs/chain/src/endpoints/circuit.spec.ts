import { describe, expect, it } from 'vitest';
import { Circuit } from './circuit.ts';

describe('Circuit', () => {
  it('opens after three failures and closes after a success', () => {
    const circuit = new Circuit();
    circuit.failed(0);
    circuit.failed(0);
    circuit.succeeded();
    circuit.failed(0);
    circuit.failed(0);
    expect(circuit.open).toBe(false);
    circuit.failed(0);
    expect(circuit.open).toBe(true);
    circuit.succeeded();
    expect(circuit.open).toBe(false);
  });

  it('probes after a pause that doubles to a minute', () => {
    const circuit = new Circuit();
    const pauses: number[] = [];
    for (let failure = 0; failure < 12; failure += 1) {
      circuit.failed(0);
      if (!circuit.open) continue;
      let pause = 0;
      while (!circuit.mayProbe(pause)) pause += 1000;
      pauses.push(pause);
    }
    expect(pauses.slice(0, 4)).toEqual([1000, 2000, 4000, 8000]);
    expect(Math.max(...pauses)).toBe(60_000);
  });
});
