import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DEFAULT_SWITCHES } from '@maker/hyperevm-node';
import { describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '..', '..');
const SOURCES = join(ROOT, 'libs', 'hyperevm-node', 'src');
const document = readFileSync(join(ROOT, 'docs', 'hyperevm-node.md'), 'utf8');

/** Rows of the table of rules: rule, source, switch, test. */
const rows = tableAfter('## Rules').map(([, rule = '', source = '', setting = '', test = '']) => ({
  rule,
  source,
  setting,
  test,
}));

/** Cells of the rows below a heading, up to the next. */
function tableAfter(heading: string): string[][] {
  const [, part = ''] = new RegExp(`^${heading}$(.*?)^##`, 'ms').exec(document) ?? [];
  return part
    .split('\n')
    .filter((line) => line.startsWith('| ') && !/^\| (rule|---|-+) /.test(line))
    .map((line) => line.split('|').map((cell) => cell.trim()));
}

describe('the table of the node with HyperEVM rules', () => {
  it('names an existing test for each rule', () => {
    expect(rows.length).toBeGreaterThan(25);
    const missing = rows.filter(({ test }) => {
      const [, file = '', name = ''] = /^`([^`]+)`: (.+)$/.exec(test) ?? [];
      const path = join(SOURCES, file);
      return !file || !existsSync(path) || !readFileSync(path, 'utf8').includes(`it('${name}'`);
    });
    expect(missing).toEqual([]);
  });

  it('names an existing test for each product rule', () => {
    const tests = tableAfter('### Rules of the product').map(([, , , test = '']) => test);
    expect(tests.length).toBeGreaterThan(15);
    const missing = tests.filter((test) => {
      const [, file = '', name = ''] = /^`([^`]+)`: (.+)$/.exec(test) ?? [];
      const path = join(ROOT, file);
      return !file || !existsSync(path) || !readFileSync(path, 'utf8').includes(`'${name}'`);
    });
    expect(missing).toEqual([]);
  });

  it('names every switch', () => {
    const settings = rows.map(({ setting }) => setting).join(' ');
    expect(Object.keys(DEFAULT_SWITCHES).filter((name) => !settings.includes(`\`${name}\``))).toEqual([]);
  });

  it('turns every switch in a system test', () => {
    const test = readFileSync(join(ROOT, 'tests', 'system', 'chain-switches.long.spec.ts'), 'utf8');
    expect(Object.keys(DEFAULT_SWITCHES).filter((name) => !test.includes(`${name}: `))).toEqual([]);
  });
});
