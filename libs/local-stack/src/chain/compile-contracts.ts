/** Runs as a separate process: the compiler is a large program that changes its host's error handling. Prints JSON. */
import { readFileSync } from 'node:fs';
import solc from 'solc';

const files = process.argv.slice(2);
const name = (path: string): string => path.split('/').at(-1) ?? path;
const input = {
  language: 'Solidity',
  sources: Object.fromEntries(files.map((path) => [name(path), { content: readFileSync(path, 'utf8') }])),
  settings: {
    evmVersion: 'paris',
    optimizer: { enabled: true, runs: 200 },
    outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object', 'evm.deployedBytecode.object'] } },
  },
};

interface Output {
  errors?: { severity: string; formattedMessage: string }[];
  contracts: Record<string, Record<string, unknown>>;
}

const output = JSON.parse(solc.compile(JSON.stringify(input))) as Output;
const errors = (output.errors ?? []).filter(({ severity }) => severity === 'error');
if (errors.length > 0) {
  console.error(errors.map(({ formattedMessage }) => formattedMessage).join('\n'));
  process.exit(1);
}
process.stdout.write(JSON.stringify(Object.assign({}, ...Object.values(output.contracts))));
