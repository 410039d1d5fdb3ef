import {
  type Abi,
  type AbiEvent,
  type AbiFunction,
  type AbiStateMutability,
  type Address,
  type ContractFunctionArgs,
  type ContractFunctionName,
  concat,
  type DecodeFunctionDataReturnType,
  type DecodeFunctionResultReturnType,
  decodeAbiParameters,
  decodeFunctionResult,
  encodeFunctionData,
  type Hex,
  type ParseEventLogsReturnType,
  prepareEncodeFunctionData,
  toEventSelector,
  toFunctionSelector,
} from 'viem';

/**
 * Decodes the data that a read returned. Returns undefined where the read reverted or returned other data (a contract of another
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

/** Characters of a call up to its arguments. */
const SELECTOR_END = 10;

/** Functions of an ABI by selector. viem's `decodeFunctionData` hashes each function again for each call, and throws for others. */
const functionsOf = new WeakMap<Abi, ReadonlyMap<string, AbiFunction>>();

function bySelector(abi: Abi): ReadonlyMap<string, AbiFunction> {
  return new Map(abi.flatMap((item) => (item.type === 'function' ? [[toFunctionSelector(item), item] as const] : [])));
}

/** Decodes a call. Returns undefined for a call that is not in the ABI. */
export function decodeCall<const ContractAbi extends Abi>(
  abi: ContractAbi,
  data: Hex,
): DecodeFunctionDataReturnType<ContractAbi> | undefined {
  const functions = functionsOf.get(abi) ?? bySelector(abi);
  functionsOf.set(abi, functions);
  const called = functions.get(data.slice(0, SELECTOR_END));
  if (!called) return undefined;
  try {
    const args = decodeAbiParameters(called.inputs, `0x${data.slice(SELECTOR_END)}`);
    return { functionName: called.name, args } as never;
  } catch {
    // viem throws for arguments of another form.
    return undefined;
  }
}

/** An event in a transaction's logs. */
export interface EventLog {
  readonly address: Address;
  readonly topics: readonly Hex[];
  readonly data: Hex;
}

/**
 * Creates a reader of the events of an ABI, which skips all other logs. It hashes the topics once: viem's `parseEventLogs` hashes them
 * for each log, and an order's receipt is searched for every event of every exchange. Indexed inputs must be of one word each.
 */
export function eventReader<const Events extends Abi>(
  abi: Events,
): (logs: readonly EventLog[]) => ParseEventLogsReturnType<Events, undefined, true> {
  const events = new Map<Hex | undefined, KnownEvent>(
    abi.flatMap((item) => (item.type === 'event' ? [[toEventSelector(item), knownEvent(item)] as const] : [])),
  );
  return (logs) =>
    logs.flatMap((log) => {
      const event = events.get(log.topics[0]);
      const args = event && argumentsIn(event, log);
      return args ? [{ ...log, eventName: event.name, args }] : [];
    }) as never;
}

/** An event, with its inputs in topics and its inputs in data. */
interface KnownEvent {
  readonly name: string;
  readonly indexed: AbiEvent['inputs'];
  readonly others: AbiEvent['inputs'];
}

function knownEvent({ name, inputs }: AbiEvent): KnownEvent {
  return { name, indexed: inputs.filter(({ indexed }) => indexed), others: inputs.filter(({ indexed }) => !indexed) };
}

/** @returns undefined where the log's topics or data are of another event of the same name */
function argumentsIn({ indexed, others }: KnownEvent, { topics, data }: EventLog) {
  if (topics.length !== indexed.length + 1) return undefined;
  try {
    const values = [...decodeAbiParameters(indexed, concat(topics.slice(1))), ...decodeAbiParameters(others, data)];
    return Object.fromEntries([...indexed, ...others].map(({ name }, index) => [name, values[index]]));
  } catch {
    return undefined;
  }
}

/** Creates an encoder for calls of one function. It hashes the selector once: viem's `encodeFunctionData` hashes it for each call. */
export function callEncoder<const ContractAbi extends Abi, Name extends ContractFunctionName<ContractAbi>>(
  abi: ContractAbi,
  functionName: Name,
): (...args: Extract<ContractFunctionArgs<ContractAbi, AbiStateMutability, Name>, readonly unknown[]>) => Hex {
  const prepared = prepareEncodeFunctionData({ abi, functionName } as never);
  return (...args) => encodeFunctionData({ ...prepared, args } as never);
}
