import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { BOARDS } from '../../../tools/dashboards/boards.ts';
import { EXPORTERS } from '../../../tools/dashboards/exporters.ts';
import { expandedSchema } from '../../support/expanded-schema.ts';
import { unknownToOps } from '../../support/ops-commands.ts';
import { blocksIn, RUN_BY_A_MACHINE } from '../../support/runbook-commands.ts';
import { catalogue, seriesNames } from './catalogue.ts';
import { recordings, WORKSPACE } from './rule-files.ts';

const RUNBOOKS = join(WORKSPACE, 'docs/runbooks');
const CHART = join(WORKSPACE, 'charts/hyperevm-maker-bot');

const schema = expandedSchema();
/** Pod labels with their values: objects of a component are in a folder of its name. */
const LABELS: Readonly<Record<string, readonly string[]>> = {
  'app.kubernetes.io/name': ['hyperevm-maker-bot'],
  'app.kubernetes.io/component': readdirSync(join(CHART, 'templates')),
};
const series = new Set([
  ...catalogue().flatMap(seriesNames),
  ...catalogue().map(({ name }) => name),
  ...recordings().map(({ record }) => record),
  ...EXPORTERS.flatMap((exporter) => Object.keys(exporter.series)),
]);
const events = catalogue().find(({ name }) => name === 'maker_events_consumed_total')?.labels.type ?? [];
const boards = BOARDS.map(({ title }) => title.replace('Maker / ', ''));

/** Whether a value exists; an empty one may contain anything. */
function hasValue(path: readonly string[]): boolean {
  let place = schema;
  for (const part of path) {
    if (place.properties === undefined) return place.type === 'object';
    const below = place.properties[part];
    if (below === undefined) return false;
    place = below;
  }
  return true;
}

const runbooks = globSync('*.md', { cwd: RUNBOOKS, exclude: ['README.md'] })
  .sort()
  .map((file) => {
    const text = readFileSync(join(RUNBOOKS, file), 'utf8');
    const quoted = [...text.matchAll(/`([^`\n]+)`|^(?:kubectl|npm run) .*$/gm)].map(([line, code]) => code ?? line);
    return { file, text, quoted };
  });

const isRunByAMachine = (runbook: string) => RUN_BY_A_MACHINE.some((name) => name === runbook);

it.each(runbooks)('$file has a run or explains why not', ({ file, text }) => {
  const isRun = isRunByAMachine(file.replace('.md', ''));
  const reasons = [...text.matchAll(/^Not run by a machine: [a-z`].{20,}\.$/gm)];
  expect({ commands: blocksIn(text).length > 0, reasons: reasons.length }).toEqual({
    commands: isRun,
    reasons: isRun ? 0 : 1,
  });
});

describe.each(runbooks)('$file: names only existing things', ({ text, quoted }) => {
  it('pods, by labels that they have', () => {
    for (const command of quoted) {
      for (const [, label, value] of command.matchAll(/ (?:-l|--selector) (\S+?)=(\S+)/g)) {
        expect(Object.keys(LABELS), command).toContain(label);
        expect(LABELS[label ?? ''], command).toContain(value);
      }
    }
  });

  it('commands of the operator’s tool, and their options', () => {
    for (const command of quoted) {
      const [, words] =
        /^(?:npm run|kubectl -n maker exec deploy\/maker-ops --) ops (?:-- )?([a-z-]+.*)$/.exec(command) ?? [];
      if (words !== undefined) expect(unknownToOps(words.split(/[ |]+/)), command).toEqual([]);
    }
  });

  it('metrics', () => {
    for (const [name] of text.matchAll(/\bmaker_[a-z_]+[a-z]\b(?!\*)/g)) {
      if (!quoted.some((code) => code.includes(`${name}_*`) || code.includes(`${name}_…`)))
        expect([...series], name).toContain(name);
    }
  });

  it('values of the chart', () => {
    for (const code of quoted) {
      const [path = ''] = /^[a-z][A-Za-z]*(\.[A-Za-z]+)+(?=$|[:=\s])/.exec(code) ?? [];
      const parts = path.split('.');
      if (events.includes(path) || path === '' || !((parts[0] ?? '') in (schema.properties ?? {}))) continue;
      expect(hasValue(parts), `the value ${path}`).toBe(true);
    }
  });

  it('boards', () => {
    for (const [, name] of text.matchAll(/[Bb]oards? \*\*([^*]+)\*\*/g)) expect(boards).toContain(name);
  });

  it('other pages', () => {
    for (const [, link = ''] of text.matchAll(/\]\(([^)#]+?)(?:#[^)]*)?\)/g)) {
      if (!link.startsWith('http')) expect(existsSync(join(RUNBOOKS, link)), link).toBe(true);
    }
  });
});
