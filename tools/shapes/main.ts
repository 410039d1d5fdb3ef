/** Part of `npm run lint`: names each place outside of its folder that knows a shape of exchange, and fails when there is one. */
import { join } from 'node:path';
import { judgeWorkspace } from './judge-workspace.ts';

const faults = judgeWorkspace(join(import.meta.dirname, '../..'));
for (const fault of faults) console.error(`✗ ${fault}`);
process.exitCode = faults.length > 0 ? 1 : 0;
