import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, it, onTestFinished } from 'vitest';
import { CHART } from './chart.ts';

const IMAGE = 'registry.example.com/maker/job:typo';

/** Runs the report as its container does; `started` is created after the image has come. */
async function startReport() {
  const folder = await mkdtemp(join(tmpdir(), 'maker-image-report-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const started = join(folder, 'started');
  const script = await readFile(join(CHART, 'files', 'image-report.mjs'), 'utf8');
  // A signal before the handler exists would end the script silently, so the test's own line announces it.
  const child = spawn(process.execPath, ['--input-type=module', '-e', `${script}\nconsole.error('polling');`], {
    env: { IMAGE, STARTED_FILE: started, SECONDS: '15', EXPLAIN: 'kubectl describe pod' },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const ended = Promise.all([text(child.stdout), once(child, 'exit')]);
  await once(child.stderr, 'data');
  return { child, started, ended: ended.then(([said, [code]]) => ({ said, code })) };
}

it('names a missing image after its limit', async () => {
  const { child, ended } = await startReport();
  child.kill('SIGTERM');
  expect(await ended).toEqual({ said: `${IMAGE} did not start within 15 s. Why: kubectl describe pod\n`, code: 1 });
});

it('ends silently when the image has started', async () => {
  const { started, ended } = await startReport();
  await writeFile(started, '');
  expect(await ended).toEqual({ said: '', code: 0 });
});
