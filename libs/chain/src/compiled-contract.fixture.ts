import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename } from 'node:path';

/** Text of the file with the creation code of one of `contracts/`, under a constant's name. */
export function creationCodeFile(contract: string, constant: string): string {
  return `import type { Hex } from 'viem';

/** Creation code of contracts/${contract}.sol; its specification compiles it again and compares. */
export const ${constant}: Hex =
  '0x${compiledContract(contract)}';
`;
}

/** Creation code of one of `contracts/`, in hexadecimal digits. */
function compiledContract(name: string): string {
  const compiled = compiledContracts(new URL(`../contracts/${name}.sol`, import.meta.url))[name];
  if (!compiled) throw new Error(`${name}.sol has no contract ${name}`);
  return compiled;
}

/**
 * Creation code of each contract of a file, in hexadecimal digits. The compiler runs in a separate process, because it replaces the
 * process's handlers of uncaught errors.
 */
export function compiledContracts(source: URL): Readonly<Record<string, string>> {
  const file = basename(source.pathname);
  const input = {
    language: 'Solidity',
    sources: { [file]: { content: readFileSync(source, 'utf8') } },
    settings: {
      evmVersion: 'cancun',
      optimizer: { enabled: true, runs: 1 },
      metadata: { bytecodeHash: 'none', appendCBOR: false },
      outputSelection: { '*': { '*': ['evm.bytecode.object'] } },
    },
  };
  const compiler = createRequire(import.meta.url).resolve('solc/solc.js');
  const printed = execFileSync(process.execPath, [compiler, '--standard-json'], {
    input: JSON.stringify(input),
    encoding: 'utf8',
    maxBuffer: 16 * 1024 * 1024,
  });
  const output = JSON.parse(printed.slice(printed.indexOf('{')));
  const contracts: Record<string, { evm: { bytecode: { object: string } } }> | undefined = output.contracts?.[file];
  if (!contracts)
    throw new Error(output.errors?.map((each: { formattedMessage: string }) => each.formattedMessage).join(''));
  return Object.fromEntries(Object.entries(contracts).map(([name, { evm }]) => [name, evm.bytecode.object]));
}
