/** Part of `npm run lint`: prints every import that violates floors.json, and fails if there is one. */
import { join } from 'node:path';
import { judgeWorkspace } from './judge-workspace.ts';

const faults = judgeWorkspace(join(import.meta.dirname, '../..'));
for (const fault of faults) console.error(`✗ ${fault}`);
process.exitCode = faults.length > 0 ? 1 : 0;
