/**
 * Runs the node as a separate process: `main.ts --execution-url URL [--host H] [--port N] [--control-port N] [--block-ms N]
 * [--seconds-per-block N] [--seconds-per-big-block N] [--switches JSON]`. Writes `{"rpcUrl":…,"controlUrl":…}` when ready; SIGTERM ends it.
 */
import { parseArgs } from 'node:util';
import { startHyperevmNode } from './server/start-node.ts';

const { values } = parseArgs({
  options: {
    'execution-url': { type: 'string' },
    host: { type: 'string', default: '127.0.0.1' },
    port: { type: 'string', default: '0' },
    'control-port': { type: 'string', default: '0' },
    'block-ms': { type: 'string', default: '1000' },
    'seconds-per-block': { type: 'string', default: '1' },
    'seconds-per-big-block': { type: 'string', default: '60' },
    switches: { type: 'string', default: '{}' },
  },
});
const executionUrl = values['execution-url'];
if (!executionUrl) throw new Error('--execution-url is missing: the JSON-RPC of the anvil that executes');
const node = await startHyperevmNode({
  executionUrl,
  host: values.host,
  port: Number(values.port),
  controlPort: Number(values['control-port']),
  blockMs: Number(values['block-ms']),
  secondsPerBlock: Number(values['seconds-per-block']),
  secondsPerBigBlock: Number(values['seconds-per-big-block']),
  switches: JSON.parse(values.switches),
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void node.stop());
process.stdout.write(`${JSON.stringify({ rpcUrl: node.rpcUrl, controlUrl: node.controlUrl })}\n`);
