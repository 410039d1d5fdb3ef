import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { expandedSchema, type ValueSchema } from '../support/expanded-schema.ts';
import { CHART, podTemplates, render, renderText, type Values } from './chart.ts';

const read = (name: string) => readFile(join(CHART, name), 'utf8');
const defaults = parse(await read('values.yaml')) as Values;
const isValid = new Ajv({ strict: false }).compile(JSON.parse(await read('values.schema.json')));

/** Paths of all values and of the sections above them. */
function pathsIn({ description, properties = {} }: ValueSchema, path: readonly string[] = []): (readonly string[])[] {
  // Inside of a value, null removes a field of Kubernetes.
  const inner = description === undefined ? Object.entries(properties) : [];
  return inner.flatMap(([name, below]) => [[...path, name], ...pathsIn(below, [...path, name])]);
}

/** The defaults with null at a path; helm removes a default that is null, and keeps null where there is none. */
function withNull(values: Values, [name = '', ...rest]: readonly string[]): Values {
  if (rest.length > 0) return { ...values, [name]: withNull((values[name] ?? {}) as Values, rest) };
  const { [name]: removed, ...others } = values;
  return removed === undefined ? { ...others, [name]: null } : others;
}

describe('a value that is null', () => {
  it('the defaults are valid', () => {
    expect(isValid(defaults), JSON.stringify(isValid.errors)).toBe(true);
  });

  it.each(pathsIn(expandedSchema()).map((path) => path.join('.')))('is refused: %s', (path) => {
    expect(isValid(withNull(defaults, path.split('.')))).toBe(false);
  });

  it.each([
    ['podDefaults.probes.startup', /at '\/podDefaults\/probes': missing property 'startup'/],
    ['job.probes', /at '\/job\/probes': got null, want object/],
    ['rpc.urls', /at '\/rpc': missing property 'urls'/],
  ])('is named by helm: %s', async (path, message) => {
    const values = path.split('.').reduceRight<unknown>((inner, name) => ({ [name]: inner }), null) as Values;
    await expect(renderText({ values })).rejects.toThrow(message);
  });
});

it('removes a field of Kubernetes by null', async () => {
  const startup = { periodSeconds: null, failureThreshold: null, timeoutSeconds: null };
  const objects = await render({ values: { podDefaults: { probes: { startup } } } });
  const probes = podTemplates(objects).flatMap(({ spec }) => spec.containers[0].startupProbe ?? []);
  expect(new Set(probes.flatMap((probe: object) => Object.keys(probe)))).toEqual(new Set(['httpGet']));
});
