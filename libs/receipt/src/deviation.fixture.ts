import { type Honest, SimulatedExecutor, type SimulatedJob } from './simulated-executor.fixture.ts';

/** A rule of the service that an executor breaks, and what the verifier must find. */
export interface Deviation {
  readonly name: string;
  /** A sentence of the unknown that names what was done; absent: the receipt is rejected. */
  readonly toldAs?: RegExp;
  /** Whether it needs this exchange; absent: any does. */
  readonly on?: (venue: SimulatedJob['venue']) => boolean;
  readonly run: (job: Partial<SimulatedJob>, size: number) => Honest;
}

/** The same receipt, told with a change. */
export const withReceipt = (told: Honest, change: Partial<Honest['receipt']>): Honest => ({
  ...told,
  receipt: { ...told.receipt, ...change },
});

/** Does something else than an honest executor at one step. */
export function acting(change: (executor: SimulatedExecutor, size: number) => void) {
  return (job: Partial<SimulatedJob>, size: number): Honest => {
    const executor = new SimulatedExecutor(job);
    change(executor, size);
    return executor.run();
  };
}

/** The same run, told with a change. */
export const toldWith = (executor: SimulatedExecutor, change: Partial<Honest['receipt']>): void => {
  const told = executor.told.bind(executor);
  executor.told = () => withReceipt(told(), change);
};

/** An amount up to `most` that `size`, from 0 to 1, picks. */
export const some = (size: number, most: bigint): bigint => 1n + (BigInt(Math.floor(size * 1e6)) * most) / 1_000_000n;
