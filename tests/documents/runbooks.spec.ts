import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { WORKSPACE_ROOT } from '@maker/local-stack/command';
import { describe, expect, it } from 'vitest';

const FOLDER = join(WORKSPACE_ROOT, 'docs', 'runbooks');
const README = readFileSync(join(FOLDER, 'README.md'), 'utf8');
/** Commands that stop something for as long as the fault lasts, and the words that undo them. */
const WAYS_BACK: readonly (readonly [RegExp, RegExp])[] = [
  [/\bops pause all\b/, /\bops resume all\b/],
  [/\bops pause "\$JOB"/, /\bops resume "\$JOB"/],
  [/--replicas=0\b/, /--replicas=2\b/],
  [/\bhelm -n maker rollback maker\b/, /\bhelm -n maker upgrade maker "\$CHART"/],
  [/\*\*Stop harm:\*\* (?:Lower|Refuse)\b/, /\b(?:back|again)\b/],
];
/** Commands that a service's own user of MongoDB may not give. */
const NEEDS_ADMINISTRATOR = /\brs\.|\bcurrentOp\b|\badminCommand\b/;

/** Commands of a page, inline and in blocks, without their prompts. */
function commandsIn(text: string): string[] {
  const blocks = [...text.matchAll(/^ *```(?:sh|console)\n([\s\S]*?)^ *```$/gm)];
  const lines = blocks.flatMap(([, block = '']) => block.split('\n').map((line) => line.trim()));
  const outside = text.replaceAll(/^ *```[\s\S]*?^ *```$/gm, '');
  const inline = [...outside.matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code);
  return [...lines, ...inline].filter((code) =>
    /^(?:kubectl|helm|mongosh|npm|curl|cast|give|sign|rs\.|db\.)/.test(code),
  );
}

/** Any property of it, and any call, is itself. */
const anything: object = new Proxy(() => undefined, { get: () => anything, apply: () => anything });

/** Runs a script of mongosh on a database that answers everything. @throws ReferenceError for a name that mongosh does not know */
function runScript(command: string): void {
  const [, script = ''] = /--eval '(.*)'$/.exec(command) ?? [];
  // The shell closes the quotes around its own variables.
  const source = script.replaceAll(/'"\$\w+"'/g, 'value');
  new Function('db', 'rs', 'Double', `return (${source});`)(anything, anything, Number);
}

const pages = globSync('*.md', { cwd: FOLDER, exclude: ['README.md'] })
  .sort()
  .map((file) => {
    const text = readFileSync(join(FOLDER, file), 'utf8');
    return { file, text, commands: commandsIn(text) };
  });

describe.each(pages)('$file', ({ text, commands }) => {
  const queries = commands.filter((command) => command.startsWith('mongosh '));

  it('queries with names that mongosh knows', () => {
    for (const query of queries) expect(() => runScript(query), query).not.toThrow();
  });

  it('says whose database each query reads', () => {
    if (queries.length > 0) expect(text).toMatch(/(?:executor|watcher|job service|service)'s database|`SERVICE_NAME=/);
  });

  it('asks MongoDB as an administrator where it must', () => {
    const asked = commands.filter((command) => NEEDS_ADMINISTRATOR.test(command));
    for (const command of asked) expect(command).toMatch(/^mongosh "\$MONGODB" --eval '/);
    if (asked.length > 0) expect(text).toContain('`SERVICE_NAME=administrator`');
  });

  it('sets each variable of its commands', () => {
    const used = commands.flatMap((command) =>
      [...command.matchAll(/\$(?:\{)?([A-Z][A-Z_]*)/g)].map(([, name]) => name),
    );
    const isSet = (name: string) => [text, README].some((page) => new RegExp(`\`${name}\`|\\b${name}=`).test(page));
    expect([...new Set(used)].filter((name) => !isSet(name ?? ''))).toEqual([]);
  });

  it('upgrades with a chart and values', () => {
    for (const command of commands.filter((code) => /^helm\b.* upgrade\b/.test(code)))
      expect(command).toMatch(/ upgrade maker \S+ .*--(?:values|reuse-values)\b/);
  });

  it('stops no gateway that its commands need', () => {
    if (commands.some((command) => command.includes('maker-ops -- ops '))) {
      expect(text).not.toMatch(/scale `api-gateway` to 0/);
      for (const command of commands) expect(command).not.toMatch(/api-gateway\b.*--replicas=0/);
    }
  });

  it('ends with the way back from what it stopped', () => {
    const end = text.slice(text.lastIndexOf('\n## '));
    for (const [stop, back] of WAYS_BACK) {
      if (!stop.test(text)) continue;
      expect(end).toMatch(/^\n## Undo\n/);
      expect(end).toMatch(back);
    }
  });
});
