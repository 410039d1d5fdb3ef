import { describe, expect, it } from 'vitest';
import { judgeProject } from './judge-project.ts';
import { readSourceFile } from './source-file.ts';

const FLOORS = [['invoice', 'clock'], ['pay-invoice', 'send-reminder'], ['main']];

/** An app that respects its floors. */
const SOUND = {
  'invoice.ts': `import { fee } from '@maker/rules';`,
  'clock.ts': '',
  'pay-invoice/pay-invoice.ts': `import type { Invoice } from '../invoice.ts';\nimport { due } from './due.ts';`,
  'pay-invoice/due.ts': `import { now } from '../clock.ts';\nimport { z } from 'zod';`,
  'send-reminder/send-reminder.ts': `import '../invoice.ts';\nimport './reminder.css';`,
  'main.tsx': `export { payInvoice } from './pay-invoice/pay-invoice.ts';\nawait import('./send-reminder/send-reminder.ts');`,
};

function judge(planted: Record<string, string> = {}, floors: Parameters<typeof judgeProject>[1] = FLOORS): string[] {
  const files = Object.entries({ ...SOUND, ...planted }).map(([path, text]) => readSourceFile(path, text));
  return judgeProject('apps/billing', floors, files);
}

describe('import directions', () => {
  it('let a room import itself and lower rooms', () => {
    expect(judge()).toEqual([]);
  });

  it.each([
    ['statement', `import { payInvoice } from './pay-invoice/pay-invoice.ts';`],
    ['type', `import type { payInvoice } from './pay-invoice/pay-invoice.ts';`],
    ['type inside a type', `type Pay = typeof import('./pay-invoice/pay-invoice.ts');`],
    ['re-export', `export * from './pay-invoice/pay-invoice.ts';`],
    ['dynamic import', `await import('./pay-invoice/pay-invoice.ts');`],
  ])('refuse an arrow up (%s)', (_, text) => {
    expect(judge({ 'clock.ts': `\n${text}` })).toEqual([
      "apps/billing/src/clock.ts:2 imports './pay-invoice/pay-invoice.ts': " +
        "room 'clock' on floor 1 may not import room 'pay-invoice' on floor 2, only lower floors",
      expect.stringContaining('files in a circle'),
    ]);
  });

  it('reject an import between rooms of one floor', () => {
    expect(judge({ 'send-reminder/due.ts': `import { due } from '../pay-invoice/due.ts';` })).toEqual([
      "apps/billing/src/send-reminder/due.ts:1 imports '../pay-invoice/due.ts': " +
        "room 'send-reminder' on floor 2 may not import room 'pay-invoice' on floor 2, only lower floors",
    ]);
  });

  it('reject circular imports, also inside a room', () => {
    expect(judge({ 'pay-invoice/due.ts': `import type { Pay } from './pay-invoice.ts';` })).toEqual([
      'apps/billing/src: files in a circle: pay-invoice/pay-invoice.ts → pay-invoice/due.ts → pay-invoice/pay-invoice.ts',
    ]);
  });

  it('reject a circle of rooms where none has a floor', () => {
    const planted = {
      'clock/clock.ts': `import '../pay-invoice/due.ts';`,
      'pay-invoice/due.ts': '',
      'pay-invoice/pay-invoice.ts': `import '../clock/clock.ts';`,
    };
    const files = Object.entries(planted).map(([path, text]) => readSourceFile(path, text));
    expect(judgeProject('apps/billing', undefined, files)).toEqual([
      'apps/billing/src: rooms in a circle: clock → pay-invoice → clock',
    ]);
  });

  it('reject a path into another project', () => {
    const why = 'this is no file of the project; another project is imported by its name, a file with its extension';
    expect(judge({ 'clock.ts': `import '../../job/src/job.ts';` })).toEqual([
      `apps/billing/src/clock.ts:1 imports '../../job/src/job.ts': ${why}`,
    ]);
  });

  it('lets only tests import test code', () => {
    const tests = {
      'invoice.spec.ts': `import './main.tsx';\nimport '@maker/local-stack';`,
      'invoice.fixture.ts': `import './pay-invoice/due.ts';`,
    };
    expect(judge(tests)).toEqual([]);
    expect(judge({ ...tests, 'main.tsx': `import './invoice.fixture.ts';` })).toEqual([
      "apps/billing/src/main.tsx:1 imports './invoice.fixture.ts': only tests may import code for tests",
    ]);
  });

  it('names undeclared and missing folders', () => {
    expect(judge({ 'refund-invoice/refund.ts': '' }, [...FLOORS, ['audit']])).toEqual([
      "apps/billing: room 'refund-invoice' has no floor; declare it in floors.json",
      "apps/billing: floors.json declares room 'audit', which src does not have",
    ]);
  });
});
