import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { findTool } from '../../tools/go-tool.ts';
import { EXAMPLES, OPERATORS, renderText, type Values } from './chart.ts';
import { layered, runningAs } from './cluster/product.ts';
import { MISTAKES } from './cluster/refusals.ts';
import { SCALED } from './cluster/scaling.ts';

const OWN: Values = {
  treasury: '0x1111111111111111111111111111111111111111',
  chain: { exchanges: [{ id: 'uniswap-v2' }] },
  makerExecutor: { operatorKeys: OPERATORS },
};

// The first use builds it, which takes minutes.
beforeAll(() => findTool('helm'));

const rendered = (changes: Values) =>
  renderText({ files: [join(EXAMPLES, 'local.yaml')], values: layered(OWN, changes) });

it.each([
  ['its own user', runningAs(1001)],
  ['an autoscaler', SCALED],
])('the chart takes the cluster test of %s', async (_, changes) => {
  await expect(rendered(changes)).resolves.toContain('kind: Deployment');
});

it.each(MISTAKES)('refuses only the mistake: $name', async ({ values, answer }) => {
  const said = await rendered(values).catch((error: unknown) => String(error));
  expect(/^apiVersion:/m.test(said) || answer.test(said), said.slice(0, 2000)).toBe(true);
});
