import {
  type Abi,
  type ContractFunctionName,
  type DecodeFunctionResultReturnType,
  decodeFunctionResult,
  type Hex,
  type ParseEventLogsReturnType,
  parseEventLogs,
  toEventSelector,
} from 'viem';

/**
 * Decodes what a read returned, or gives undefined where it reverted or returned something else (a contract of another
 * shape, or no contract at all).
 */
export function decodeOrUndefined<const ContractAbi extends Abi, Name extends ContractFunctionName<ContractAbi>>(
  abi: ContractAbi,
  functionName: Name,
  data: Hex | undefined,
): DecodeFunctionResultReturnType<ContractAbi, Name> | undefined {
  if (data === undefined || data === '0x') return undefined;
  try {
    return decodeFunctionResult({ abi, functionName, data } as never) as never;
  } catch {
    return undefined;
  }
}

/**
 * Makes a reader of the events of an ABI, which passes over all other logs. Its topics are hashed once: `parseEventLogs` hashes them
 * for each call, and an order's receipt is read for every event of every exchange.
 */
export function eventReader<const Events extends Abi>(
  abi: Events,
): (logs: readonly { readonly topics: readonly Hex[] }[]) => ParseEventLogsReturnType<Events, undefined, true> {
  const topics = new Set<Hex | undefined>(abi.flatMap((item) => (item.type === 'event' ? toEventSelector(item) : [])));
  return (logs) => {
    const own = logs.filter(({ topics: [first] }) => topics.has(first));
    return own.length === 0 ? [] : parseEventLogs({ abi, logs: own as never });
  };
}
