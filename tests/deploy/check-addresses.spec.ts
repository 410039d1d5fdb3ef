import { expect, it } from 'vitest';
import { type KubernetesObject, render, type Values } from './chart.ts';

const CHECKED = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';

const hooksOf = async (values: Values): Promise<KubernetesObject[]> =>
  (await render({ values })).filter(({ metadata }) => metadata.name.endsWith('-check-addresses'));

it('checks addresses with a checksum before each installation and upgrade', async () => {
  const exchange = { id: 'one', kind: 'uniswap-v2', factory: CHECKED, router: CHECKED.toLowerCase() };
  const hooks = await hooksOf({ treasury: CHECKED, chain: { exchanges: [{ ...exchange, wrappedNative: CHECKED }] } });
  expect(hooks.map(({ kind }) => kind).sort()).toEqual(['Job', 'ServiceAccount']);
  for (const { metadata } of hooks) expect(metadata.annotations?.['helm.sh/hook']).toBe('pre-install,pre-upgrade');
  const job = hooks.find(({ kind }) => kind === 'Job');
  expect(job).toMatchObject({
    spec: {
      template: {
        spec: {
          containers: [
            {
              args: [
                'check-addresses',
                `chain.exchanges[0].factory=${CHECKED}`,
                `chain.exchanges[0].wrappedNative=${CHECKED}`,
                `treasury=${CHECKED}`,
              ],
            },
          ],
        },
      },
    },
  });
});

it('needs no hook where no address has a checksum', async () => {
  expect(await hooksOf({ treasury: CHECKED.toLowerCase() })).toEqual([]);
});
