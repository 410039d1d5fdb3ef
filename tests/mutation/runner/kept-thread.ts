import { parentPort } from 'node:worker_threads';
import { init, runBaseTests, setupEnvironment } from 'vitest/worker';

if (!parentPort) throw new Error('runs in a thread only');
const port = parentPort;

init({
  post: (response) => port.postMessage(response),
  on: (callback) => port.on('message', callback),
  off: (callback) => port.off('message', callback),
  setup: setupEnvironment,
  runTests: (state, traces) => {
    forgetFault();
    return runBaseTests('run', state, traces);
  },
  collectTests: (state, traces) => runBaseTests('collect', state, traces),
});

/** Modules are read anew for each fault: while they are, none of an earlier run may be on. */
function forgetFault(): void {
  Reflect.deleteProperty(globalThis, '__stryker__');
}
