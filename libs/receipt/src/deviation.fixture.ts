import { type JobReport, SimulatedExecutor, type SimulatedJob } from './simulated-executor.fixture.ts';

/** A rule of the service that an executor breaks, and what the verifier must find. */
export interface Deviation {
  readonly name: string;
  /** The sentence about it among the unknown points; absent: the verifier rejects the receipt. */
  readonly listedAs?: RegExp;
  /** The sentence among the unknown points if the receipt has no agreement; with one, the verifier rejects it. */
  readonly unlessAgreed?: RegExp;
  /** Whether it is possible on this exchange; absent: on any. */
  readonly on?: (venue: SimulatedJob['venue']) => boolean;
  readonly run: (job: Partial<SimulatedJob>, size: number) => JobReport;
}

/** The report with a change in the receipt. */
export const withReceipt = (report: JobReport, change: Partial<JobReport['receipt']>): JobReport => ({
  ...report,
  receipt: { ...report.receipt, ...change },
});

/** Runs an executor that deviates from an honest one. */
export function acting(change: (executor: SimulatedExecutor, size: number) => void) {
  return (job: Partial<SimulatedJob>, size: number): JobReport => {
    const executor = new SimulatedExecutor(job);
    change(executor, size);
    return executor.run();
  };
}

/** Makes an executor change its receipt. */
export const reportWith = (executor: SimulatedExecutor, change: Partial<JobReport['receipt']>): void => {
  const report = executor.report.bind(executor);
  executor.report = () => withReceipt(report(), change);
};

/** An amount up to `most` that `size`, from 0 to 1, picks. */
export const some = (size: number, most: bigint): bigint => 1n + (BigInt(Math.floor(size * 1e6)) * most) / 1_000_000n;
