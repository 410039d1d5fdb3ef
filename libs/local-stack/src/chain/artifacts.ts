import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Abi, Hex } from 'viem';
import { cacheDirectory, ownModule } from '../paths.ts';

/** The part of a compiled contract that deployments and calls need. */
export interface Artifact {
  abi: Abi;
  bytecode: Hex;
}

/** One of our own contracts, with its deployed code. */
export interface OwnArtifact extends Artifact {
  deployedBytecode: Hex;
}

/** Names of the contracts in this library's `contracts` folder. */
export type OwnContract =
  | 'DemoToken'
  | 'TaxedToken'
  | 'HoneypotToken'
  | 'LimitsHoldings'
  | 'LimitsTransfers'
  | 'LimitsTransfersAndHoldings'
  | 'CoolsDown'
  | 'Multicall3'
  | HostileContract;

/** Our own contracts, by name. It contains those of venues too: {@link contractNamed}. */
export type OwnArtifacts = Readonly<Record<OwnContract, OwnArtifact>>;

/** One of our own contracts that only its venue uses. @param name of the contract, not of its file */
export function contractNamed(own: OwnArtifacts, name: string): OwnArtifact {
  const found = Object.entries(own).find(([key]) => key === name);
  if (!found) throw new Error(`no file of libs/local-stack/contracts has the contract ${name}`);
  return found[1];
}

/** Malicious tokens: each has the storage layout of `DemoToken`, so that its code can replace a demo token's. */
export const HOSTILE_TOKENS = [
  'KeepsOneUnit',
  'MovesNothing',
  'SaysNo',
  'LiesInItsEvent',
  'BoastsInItsEvent',
  'RefusesTransfers',
  'RefusesWhenMined',
  'NeedsTooMuchGas',
  'RefusesBalanceOf',
  'BurnsGasOfReaders',
  'AnswersTooMuch',
  'BurnsGasForItsSymbol',
  'TaxesEverybody',
  'TaxesBuyers',
  'TaxesHolders',
  'TaxesAtTimes',
  'SeesSimulations',
  'RebasesUp',
  'RebasesDown',
  'BlocksItsHolders',
  'OverstatesBalances',
  'ReturnsNothing',
  'AnswersNothing',
  'Reenters',
  'HasAHugeName',
  'HasNoName',
  'HasNoText',
  'HasNoDecimals',
  'HasManyDecimals',
] as const;

/** Malicious recipients of HYPE. */
export const HOSTILE_RECIPIENTS = ['TakesTooMuchGas', 'TakesNothing', 'TakesLittle', 'RefusesWhenItIsMined'] as const;

/** A malicious contract, for tests only: no start deploys one. */
export type HostileContract = (typeof HOSTILE_TOKENS)[number] | (typeof HOSTILE_RECIPIENTS)[number];

const CONTRACTS = fileURLToPath(new URL('../../contracts/', import.meta.url));
const require = createRequire(import.meta.url);

/** Reads an artifact that a Uniswap package publishes. @param path such as '@uniswap/v2-core/build/UniswapV2Factory.json' */
export async function publishedArtifact(path: string): Promise<Artifact> {
  const { abi, bytecode } = JSON.parse(await readFile(require.resolve(path), 'utf8'));
  return { abi, bytecode: bytecode.startsWith('0x') ? bytecode : `0x${bytecode}` };
}

interface CompilerOutput {
  abi: Abi;
  evm: { bytecode: { object: string }; deployedBytecode: { object: string } };
}

async function compile(files: string[]): Promise<OwnArtifacts> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [ownModule(import.meta.url, './compile-contracts'), ...files],
    { maxBuffer: 64 * 1024 * 1024 },
  );
  const contracts = Object.entries(JSON.parse(stdout) as Record<string, CompilerOutput>).map(([name, { abi, evm }]) => [
    name,
    { abi, bytecode: `0x${evm.bytecode.object}`, deployedBytecode: `0x${evm.deployedBytecode.object}` },
  ]);
  return Object.fromEntries(contracts);
}

/** Our own contracts, compiled. Compiles them again only when a source or the compiler has changed. */
export async function ownArtifacts(): Promise<OwnArtifacts> {
  const files = (await readdir(CONTRACTS)).filter((name) => name.endsWith('.sol')).map((name) => join(CONTRACTS, name));
  const { version } = require('solc/package.json') as { version: string };
  const hash = createHash('sha256').update(version);
  for (const file of [...files.sort(), ownModule(import.meta.url, './compile-contracts')])
    hash.update(await readFile(file));
  const cached = join(cacheDirectory(), 'contracts', `${hash.digest('hex')}.json`);
  const known = await readFile(cached, 'utf8').catch(() => undefined);
  if (known) return JSON.parse(known);
  const artifacts = await compile(files);
  await mkdir(join(cacheDirectory(), 'contracts'), { recursive: true });
  const temporary = `${cached}.${process.pid}`;
  await writeFile(temporary, JSON.stringify(artifacts));
  await rename(temporary, cached);
  return artifacts;
}
