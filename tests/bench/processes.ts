import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ALL_SERVICES } from '@maker/local-stack';
import { sumOf } from './figure.ts';

/** Of Linux, on every architecture that Node runs on. */
const TICKS_PER_SECOND = 100;

/** Who uses the processors of a stack. */
export const PARTS = ['executors', 'chain', 'mongod', 'others'] as const;

/** One of them. */
export type Part = (typeof PARTS)[number];

/** The part that a process belongs to, by its name. */
export function partOf(process: string): Part {
  if (process.startsWith('maker-executor')) return 'executors';
  if (process === 'mongod') return 'mongod';
  const isOther = process === 'nats-server' || ALL_SERVICES.some((service) => process.startsWith(service));
  return isOther ? 'others' : 'chain';
}

/** The processes of a stack by name: its services, `mongod`, `nats-server` and the chain's. @param directory of the stack */
export async function processesOf(directory: string): Promise<Readonly<Record<string, number>>> {
  return JSON.parse(await readFile(join(directory, 'processes.json'), 'utf8'));
}

/** CPU time that processes have used so far, s. */
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

/** The same with only its share of the pages that other processes use too, such as Node's own program, MiB. You can add these up. */
export const proportionalMib = (pid: number): Promise<number> => memoryMib(pid, 'Pss');

async function memoryMib(pid: number, field: 'Rss' | 'Pss'): Promise<number> {
  const rollup = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8');
  return Number(new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(rollup)?.[1]) / 1024;
}
