import { beforeAll, describe, expect, it } from 'vitest';
import { findTool } from '../../tools/go-tool.ts';
import { EVERYTHING, type KubernetesObject, render } from './chart.ts';

const LONGEST_LABEL = 63;
/** The controller adds a hyphen and a hash of up to ten characters to a StatefulSet's name in a label of its pods. */
const LONGEST_BY_KIND: Readonly<Record<string, number>> = { StatefulSet: LONGEST_LABEL - 11, CronJob: 52 };
/** Helm's limit is 53 characters. */
const LONGEST_RELEASES = [
  'a'.repeat(53),
  `${'a'.repeat(52)}b`,
  `${'a-'.repeat(26)}a`,
  'hyperevm-maker-bot'.padEnd(53, 'x'),
];

const named = (release: string): Promise<KubernetesObject[]> => render({ ...EVERYTHING, release });

// The first use builds it, which takes minutes.
beforeAll(() => findTool('helm'));

describe('a release name of 53 characters', () => {
  it.each(LONGEST_RELEASES)('leaves room for derived names: %s', async (release) => {
    const objects = await named(release);
    const long = objects.filter(
      ({ kind, metadata: { name } }) => name.length > (LONGEST_BY_KIND[kind] ?? LONGEST_LABEL),
    );
    expect(long.map(({ kind, metadata }) => `${kind} ${metadata.name}`)).toEqual([]);
    const services = objects.filter(({ kind }) => kind === 'Service').map(({ metadata }) => metadata.name);
    expect(services.filter((name) => !/^[a-z]([-a-z0-9]*[a-z0-9])?$/.test(name))).toEqual([]);
  });

  it('keeps two releases apart', async () => {
    const [one = [], other = []] = await Promise.all(LONGEST_RELEASES.slice(0, 2).map(named));
    const names = new Set(one.map(({ kind, metadata }) => `${kind} ${metadata.name}`));
    expect(other.filter(({ kind, metadata }) => names.has(`${kind} ${metadata.name}`))).toEqual([]);
  });
});
