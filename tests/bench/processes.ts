import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ALL_SERVICES } from '@maker/local-stack';
import { sumOf } from './figure.ts';

/** Linux's value on every architecture that Node supports. */
const TICKS_PER_SECOND = 100;

/** Users of a stack's processors. */
export const PARTS = ['executors', 'chain', 'mongod', 'others'] as const;

/** One part. */
export type Part = (typeof PARTS)[number];

/** The part of a process, by its name. */
export function partOf(process: string): Part {
  if (process.startsWith('maker-executor')) return 'executors';
  if (process === 'mongod') return 'mongod';
  const isOther = process === 'nats-server' || ALL_SERVICES.some((service) => process.startsWith(service));
  return isOther ? 'others' : 'chain';
}

/** Processes of a stack by name: its services, `mongod`, `nats-server` and the chain. @param directory of the stack */
export async function processesOf(directory: string): Promise<Readonly<Record<string, number>>> {
  return JSON.parse(await readFile(join(directory, 'processes.json'), 'utf8'));
}

/** CPU time of processes so far, s. */
export async function cpuSecondsOf(pids: readonly number[]): Promise<number> {
  const each = await Promise.all(
    pids.map(async (pid) => {
      const [, fields = ''] = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(/\) (?=\S )/);
      const [user, system] = fields.split(' ').slice(11, 13);
      return (Number(user) + Number(system)) / TICKS_PER_SECOND;
    }),
  );
  return sumOf(each);
}

/** Memory of a process that is in RAM, MiB. */
export const residentMib = (pid: number): Promise<number> => memoryMib(pid, 'Rss');

/** Memory with a proportional share of pages that several processes use, such as Node's program, MiB. These values can be summed. */
export const proportionalMib = (pid: number): Promise<number> => memoryMib(pid, 'Pss');

async function memoryMib(pid: number, field: 'Rss' | 'Pss'): Promise<number> {
  const rollup = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8');
  return Number(new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(rollup)?.[1]) / 1024;
}
