import { describe, expect, it } from 'vitest';
import { failureLine } from './log-line.ts';

describe('failureLine', () => {
  it('quotes the last error of a JSON log', () => {
    const log = [
      '{"level":30,"msg":"starting"}',
      '{"level":50,"msg":"cannot start","err":{"message":"MONGO_URL is missing"}}',
      '{"level":30,"msg":"closed"}',
    ].join('\n');
    expect(failureLine(log)).toBe('cannot start: MONGO_URL is missing');
  });

  it('quotes an uncaught error and not the stack around it', () => {
    const log = `node:internal\n  throw err;\n  ^\n\nTypeError: x is not a function\n    at f (a.js:1:1)\n\nNode.js v24.21.0\n`;
    expect(failureLine(log)).toBe('TypeError: x is not a function');
  });

  it('falls back to the last line, cut', () => {
    expect(failureLine('one\ntwo\n\n')).toBe('two');
    expect(failureLine('x'.repeat(10_000)).length).toBeLessThan(500);
    expect(failureLine('')).toBe('');
  });
});
