import {
  type Abi,
  type Address,
  concat,
  decodeAbiParameters,
  encodeAbiParameters,
  type Hex,
  parseAbiParameters,
  toFunctionSelector,
} from 'viem';
import type { ChainClient } from '../client.ts';
import { mayGoOtherwise, meaningOf } from '../error-meaning.ts';
import { ChainUnavailableError } from '../errors.ts';
import type { RoleContract } from '../shapes/exchange-entry.ts';
import { FUNCTION_SURVEY_CREATION_CODE } from './function-survey.creation-code.ts';

/** Selectors of the called functions that a contract has; undefined where there is no contract. */
export type FoundFunctions = ReadonlySet<Hex> | undefined;

const surveyParameters = parseAbiParameters(['(address target, bytes4[] selectors)[] wanted']);
const foundParameters = parseAbiParameters(['uint256[] found']);

/**
 * Finds which functions contracts have, from their code: a compiler's dispatcher compares with each selector by a PUSH4. A call
 * is less certain: each fork reverts its swaps with other data. A proxy has none of the functions and does not count as its target,
 * because its owner could replace the target at any time. One request; where an endpoint refuses calls without a recipient, one for
 * each contract (docs/adr/0025).
 * @returns in the contracts' order @throws ChainUnavailableError
 */
export async function findCalledFunctions(
  client: ChainClient,
  contracts: readonly RoleContract[],
): Promise<readonly FoundFunctions[]> {
  const wanted = contracts.map(({ address, abis }) => ({
    target: address,
    selectors: [...new Set(abis.flatMap(selectorsOf))],
  }));
  try {
    const data = concat([FUNCTION_SURVEY_CREATION_CODE, encodeAbiParameters(surveyParameters, [wanted])]);
    const { data: returned } = await client.call({ data });
    if (returned) return decodeSurvey(returned, wanted);
  } catch (error) {
    if (!mayGoOtherwise(meaningOf(error)))
      throw new ChainUnavailableError(`survey ${contracts.length} contracts`, error);
  }
  return Promise.all(wanted.map(({ target, selectors }) => findInCode(client, target, selectors)));
}

function selectorsOf(abi: Abi): readonly Hex[] {
  return abi.flatMap((item) => (item.type === 'function' ? toFunctionSelector(item) : []));
}

function decodeSurvey(returned: Hex, wanted: readonly { readonly selectors: readonly Hex[] }[]): FoundFunctions[] {
  const [found] = decodeAbiParameters(foundParameters, returned);
  return wanted.map(({ selectors }, contract) => {
    const bits = found[contract] ?? 0n;
    return bits === 0n ? undefined : new Set(selectors.filter((_, index) => (bits >> BigInt(index + 1)) & 1n));
  });
}

async function findInCode(client: ChainClient, address: Address, selectors: readonly Hex[]): Promise<FoundFunctions> {
  const code = await client.getCode({ address }).catch((error: unknown) => {
    throw new ChainUnavailableError(`read the code at ${address}`, error);
  });
  if (!code) return undefined;
  const bytes = Buffer.from(code.slice(2), 'hex');
  return new Set(selectors.filter((selector) => bytes.includes(Buffer.from(`63${selector.slice(2)}`, 'hex'))));
}
