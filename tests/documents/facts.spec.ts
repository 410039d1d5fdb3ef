import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '..', '..');
const FACTS = 'payment, payer, amount, time, deadline, balance, order, fee, refund, price, event'.split(', ');

/** The one collection of deposits. */
const DEPOSITS = '`deposits` in `apps/job/src/deposit`';

/** Names of fields with a sender or an amount of HYPE, or with text or a message that may contain one. */
const HOLDS =
  /\b(payer|from|amountWei|depositWei|inTimeWei|lateWei|droppedWei|receivedWei|details|data|event|body|head):/;

/** Calls that only read a collection of another module. */
const READS = /^\s*\.(aggregate|find|countDocuments|distinct)\b/;

const sources = globSync('{apps,libs}/*/src/**/*.ts', { cwd: ROOT })
  .filter((path) => !/\.(spec|fixture)\.ts$/.test(path))
  .map((path) => ({ path, folder: dirname(path), text: readFileSync(join(ROOT, path), 'utf8') }));

/** The text up to the parenthesis that closes the one before it. */
function argumentsIn(text: string): string {
  let depth = 1;
  for (const { 0: bracket, index } of text.matchAll(/[()]/g)) {
    depth += bracket === '(' ? 1 : -1;
    if (depth === 0) return text.slice(0, index);
  }
  throw new Error('not closed');
}

/** Each collection that a module declares, with its fields. */
const collections = sources.flatMap(({ folder, text }) =>
  [...text.matchAll(/new EntitySchema(?:<[^(]*>)?\(/g)].map(({ 0: call, index }) => {
    const fields = argumentsIn(text.slice(index + call.length));
    const [, name = ''] = /^\s*'(\w+)'/.exec(fields) ?? [];
    return { folder, name, owned: `\`${name}\` in \`${folder}\``, fields };
  }),
);

const page = readFileSync(join(ROOT, 'docs', 'architecture.md'), 'utf8');
const [, section = ''] = /## Facts\n([\s\S]*?)\n## /.exec(page) ?? [];
const [facts = [], copies = []] = section
  .split('\n\n')
  .filter((block) => block.startsWith('|'))
  .map((block) =>
    block
      .trim()
      .split('\n')
      .slice(2)
      .map((row) => row.split('|').map((cell) => cell.trim())),
  );
const owners = facts.flatMap(([, , owner = '']) => /^`\w+` in `[\w/-]+`/.exec(owner)?.[0] ?? []);

it('architecture.md names the owner of each fact', () => {
  expect(facts.map(([, fact]) => fact)).toEqual(FACTS);
  const chain = facts.filter(([, , owner]) => owner === 'the chain').map(([, fact]) => fact);
  expect(chain).toEqual(['balance']);
  expect(owners).toHaveLength(FACTS.length - 1);
  expect(facts.every(([, , , prover]) => prover)).toBe(true);
  const declared = new Set(collections.map(({ owned }) => owned));
  expect(owners.filter((owner) => !declared.has(owner))).toEqual([]);
});

it('only the owner of a fact writes its collection', () => {
  const owned = collections.filter((one) => owners.includes(one.owned));
  for (const { folder, name } of owned) {
    const project = folder.split('/').slice(0, 2).join('/');
    const others = sources.filter((source) => source.folder !== folder);
    const again = collections.filter((one) => one.name === name && one.folder.startsWith(`${project}/`));
    expect(again).toHaveLength(1);
    const writes = others.flatMap(({ path, text }) =>
      [...text.matchAll(new RegExp(`\\.collection(?:<[^(]*>)?\\('${name}'\\)`, 'g'))]
        .map(({ 0: call, index }) => text.slice(index + call.length))
        .filter((rest) => !READS.test(rest))
        .map(() => path),
    );
    expect(writes).toEqual([]);
  }
  // Another folder could write by a schema that it imports.
  for (const { folder, text } of sources)
    for (const [, name = ''] of text.matchAll(/export const (\w+) = new EntitySchema/g)) {
      const users = sources.filter((source) => new RegExp(`\\b${name}\\b`).test(source.text));
      expect(new Set(users.map((user) => user.folder))).toEqual(new Set([folder]));
    }
});

it('architecture.md lists each copy of a payer or an amount', () => {
  const holders = collections.filter(({ fields }) => HOLDS.test(fields)).map(({ owned }) => owned);
  expect(holders).toContain(DEPOSITS);
  expect(copies.map(([, copy]) => copy).sort()).toEqual(holders.filter((holder) => holder !== DEPOSITS).sort());
});
