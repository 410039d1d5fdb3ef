import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/**
 * Creation code of one of `contracts/`, in hexadecimal digits. The compiler runs as a process of its own, since it replaces its
 * host's handlers of uncaught errors.
 */
export function compiledContract(name: string): string {
  const file = `${name}.sol`;
  const input = {
    language: 'Solidity',
    sources: { [file]: { content: readFileSync(new URL(`../contracts/${file}`, import.meta.url), 'utf8') } },
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
  const compiled = output.contracts?.[file]?.[name]?.evm.bytecode.object;
  if (!compiled)
    throw new Error(output.errors?.map((each: { formattedMessage: string }) => each.formattedMessage).join(''));
  return compiled;
}
