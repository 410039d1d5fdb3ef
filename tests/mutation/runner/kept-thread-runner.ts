import { computedInSilenceMs, endKeptThread, KeptThreadWorker } from './kept-thread-worker.ts';

/** What Stryker says of a fault that it has on. */
interface MutantRun {
  /** Tests that reach it; absent where it is in what runs while a module is read, which all tests have been through. */
  readonly testFilter?: readonly string[];
  readonly mutantActivation: 'static' | 'runtime';
}

interface MutantRunResult {
  readonly status: string;
}

/** Stryker's own runner, as far as it is used here: its packages are installed with `npm run test:mutation` alone, and are not there when types are checked. */
interface VitestRunner {
  mutantRun(run: MutantRun): Promise<MutantRunResult>;
  dispose(): Promise<void>;
  /** Read anew before each run, though it is private. */
  options: { readonly vitest: { readonly related?: boolean; readonly pool?: unknown } };
}

const VITEST_RUNNER: string = '@stryker-mutator/vitest-runner';
const {
  strykerPlugins: [{ kind, factory }],
} = (await import(VITEST_RUNNER)) as {
  strykerPlugins: [{ kind: string; factory: (injector: unknown) => VitestRunner }];
};

/** Of computing: the longest test takes a few seconds. */
const LONGEST_SILENCE_MS = 8_000;
const LOOK_EVERY_MS = 500;

const KEPT_THREAD = {
  name: 'kept-thread',
  createPoolWorker: (options: ConstructorParameters<typeof KeptThreadWorker>[0]) => new KeptThreadWorker(options),
};

/**
 * Stryker's runner for Vitest, in a thread that is kept. What no test noticed is tried again in a new thread, so that nothing an
 * earlier fault left behind hides it; except for one in what runs while a module is read, which is read anew anyway.
 */
function keptThreadRunner(injector: unknown): VitestRunner {
  const runner = factory(injector);
  const { options } = runner;
  const configure = (related: boolean) => {
    runner.options = { ...options, vitest: { ...options.vitest, related, pool: KEPT_THREAD } };
  };
  configure(true);
  const mutantRun = runner.mutantRun.bind(runner);
  runner.mutantRun = async (run) => {
    // Which specs read the file, the first run has found out; to look anew for each fault takes longer than most tests.
    configure(run.testFilter === undefined);
    const result = await unlessEndless(() => mutantRun(run));
    const isBelieved = result.status === 'killed' || result.status === 'timeout';
    if (isBelieved || (result.status === 'survived' && run.mutantActivation === 'static')) return result;
    await endKeptThread();
    return unlessEndless(() => mutantRun(run));
  };
  const dispose = runner.dispose.bind(runner);
  runner.dispose = async () => {
    await endKeptThread();
    await dispose();
  };
  return runner;
}

/** A loop without end is told by what it computes, which is the same however busy the machine is. */
async function unlessEndless(run: () => Promise<MutantRunResult>): Promise<MutantRunResult> {
  let isEndless = false;
  const timer = setInterval(() => {
    if (isEndless || computedInSilenceMs() <= LONGEST_SILENCE_MS) return;
    isEndless = true;
    void endKeptThread();
  }, LOOK_EVERY_MS);
  try {
    const result = await run();
    return isEndless ? { status: 'timeout' } : result;
  } finally {
    clearInterval(timer);
  }
}

keptThreadRunner.inject = ['$injector'];

export const strykerPlugins = [{ kind, name: 'kept-thread', factory: keptThreadRunner }];
