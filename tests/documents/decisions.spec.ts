import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, it } from 'vitest';

const ADR = join(import.meta.dirname, '..', '..', 'docs', 'adr');
const records = globSync('*.md', { cwd: ADR }).sort();

it.each(records)('%s has a title, a status, context, decision and consequences', (file) => {
  const text = readFileSync(join(ADR, file), 'utf8');
  const number = Number(basename(file).slice(0, 4));
  expect(text).toMatch(new RegExp(`^# ${number}\\. [A-Z].+\\n\\nStatus: (accepted|superseded by )`));
  const parts = [...text.matchAll(/^\*\*(Context|Decision|Consequences)\.\*\*/gm)].map(([, part]) => part);
  expect(parts).toEqual(['Context', 'Decision', 'Consequences']);
});

it('gives each record a unique number', () => {
  const numbers = records.map((file) => file.slice(0, 4));
  expect(numbers).toEqual([...new Set(numbers)]);
});
