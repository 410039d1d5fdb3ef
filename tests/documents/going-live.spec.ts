import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { WORKSPACE_ROOT } from '@maker/local-stack/command';
import { expect, it } from 'vitest';
import { unknownToOps } from '../support/ops-commands.ts';

const read = (...path: string[]) => readFileSync(join(WORKSPACE_ROOT, ...path), 'utf8');
const page = read('docs', 'going-live.md');
const all = (pattern: RegExp, text = page) => [...new Set([...text.matchAll(pattern)].map(([, name]) => name ?? ''))];
const CHART = 'charts/hyperevm-maker-bot';

it('names alerts, dashboards and commands that exist', () => {
  const rules = readdirSync(join(WORKSPACE_ROOT, CHART, 'rules')).map((file) => read(CHART, 'rules', file));
  const alerts = all(/alert: (\w+)/g, rules.join('\n'));
  expect(all(/`(Maker[A-Z]\w+)`/g).filter((name) => !alerts.includes(name))).toEqual([]);
  const boards = all(/^\| `(\w+)` /gm);
  expect(boards.filter((name) => !existsSync(join(WORKSPACE_ROOT, CHART, 'dashboards', `${name}.json`)))).toEqual([]);
  expect(boards.length).toBeGreaterThan(3);
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  expect(all(/npm run ([\w:]+)/g).filter((name) => !(name in scripts))).toEqual([]);
  const commands = all(/npm run(?: --silent)? ops -- ([^`|\n]+)/g);
  expect(commands.flatMap((command) => unknownToOps(command.split(' ')))).toEqual([]);
});
