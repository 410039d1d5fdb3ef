import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DEFAULT_SWITCHES } from '@maker/hyperevm-node';
import { describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '..', '..');
const SOURCES = join(ROOT, 'libs', 'hyperevm-node', 'src');
const document = readFileSync(join(ROOT, 'docs', 'hyperevm-node.md'), 'utf8');

/** Rows of the table of rules: rule, source, switch, test. */
const [, rules = ''] = /^## Rules$(.*?)^## /ms.exec(document) ?? [];
const rows = rules
  .split('\n')
  .filter((line) => line.startsWith('| ') && !/^\| (rule|---|-+) /.test(line))
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .map(([, rule = '', source = '', setting = '', test = '']) => ({ rule, source, setting, test }));

describe('the table of the node with HyperEVM rules', () => {
  it('names for each rule a test that there is', () => {
    expect(rows.length).toBeGreaterThan(25);
    const missing = rows.filter(({ test }) => {
      const [, file = '', name = ''] = /^`([^`]+)`: (.+)$/.exec(test) ?? [];
      const path = join(SOURCES, file);
      return !file || !existsSync(path) || !readFileSync(path, 'utf8').includes(`it('${name}'`);
    });
    expect(missing).toEqual([]);
  });

  it('names every switch', () => {
    const settings = rows.map(({ setting }) => setting).join(' ');
    expect(Object.keys(DEFAULT_SWITCHES).filter((name) => !settings.includes(`\`${name}\``))).toEqual([]);
  });

  it('turns every switch in a system test, where a whole job meets it', () => {
    const test = readFileSync(join(ROOT, 'tests', 'system', 'chain-switches.long.spec.ts'), 'utf8');
    expect(Object.keys(DEFAULT_SWITCHES).filter((name) => !test.includes(`${name}: `))).toEqual([]);
  });
});
