import {
  type ChainClient,
  ChainUnavailableError,
  commonHeight,
  type Exchange,
  isVerified,
  type Network,
  type RequestLimit,
  type RpcCall,
  verifyExchanges,
  viemChain,
} from '@maker/chain';
import { type Address, createPublicClient, custom, numberToHex } from 'viem';
import { blockIn, gatherEndpoint } from './gather/endpoint-answers.ts';
import { tryToken } from './gather/trial.ts';
import { judgeChainId, judgeEndpoint } from './judge/judge-endpoint.ts';
import { judgeExchanges, judgeTrial } from './judge/judge-exchanges.ts';
import { judgeAgreement, judgeHosts, judgeRequests, type SeenHead } from './judge/judge-together.ts';
import { fail, type Line, type Section } from './report.ts';
import { type Ask, type AskEndpoint, resultOf } from './request/answer.ts';
import { counted } from './request/counted.ts';

export interface Subject {
  readonly network: Network;
  /** Redacted URLs in the order of the configuration. */
  readonly endpoints: readonly string[];
  /** Number of hosts behind the URLs. */
  readonly hostCount: number;
  /** Limit of each endpoint's plan; undefined if unknown. */
  readonly limits: readonly (RequestLimit | undefined)[];
  readonly exchanges: readonly Exchange[];
  /** Token for the trial instead of the known one. */
  readonly token?: Address | undefined;
}

/** Checks endpoints and exchanges, and changes nothing. */
export async function preflight(subject: Subject, asked: Ask): Promise<readonly Section[]> {
  const { network } = subject;
  const { ask, countOf } = counted(asked);
  const lines: Line[][] = [];
  for (const [endpoint] of subject.endpoints.entries()) {
    const own: AskEndpoint = (method, params) => ask(endpoint, method, params);
    const chain = judgeChainId(await own('eth_chainId', []), network.chainId);
    const rest = chain.verdict === 'ok' ? judgeEndpoint(await gatherEndpoint(own, network.multicall3)) : [];
    lines.push([chain, ...rest]);
  }
  const right = lines.flatMap(([chain], endpoint) => (chain?.verdict === 'ok' ? [endpoint] : []));
  const agreement = right.length > 1 ? judgeAgreement(await readHeads(ask, right), network) : [];
  const isLeftOut = lines.map(
    (own, endpoint) =>
      own.some(({ setsAside }) => setsAside) || (agreement[right.indexOf(endpoint)]?.setsAside ?? false),
  );
  const serving = right.find((endpoint) => !isLeftOut[endpoint]);
  const exchanges = right[0] === undefined ? [] : await examineExchanges(subject, ask, serving ?? right[0]);
  const endpoints = subject.endpoints.map((shown, endpoint) => {
    const own = [...(lines[endpoint] ?? []), judgeRequests(countOf(endpoint), subject.limits[endpoint], network)];
    const title = `endpoint ${endpoint + 1}  ${shown}`;
    return { title, lines: isLeftOut[endpoint] && serving !== undefined ? downgraded(own) : own };
  });
  const together = [...(serving === undefined ? agreement : downgraded(agreement)), ...judgeHosts(subject.hostCount)];
  return [
    ...endpoints,
    ...(together.length > 0 ? [{ title: 'endpoints together', lines: together }] : []),
    ...(exchanges.length > 0 ? [{ title: 'exchanges', lines: exchanges }] : []),
  ];
}

/** Turns failures into weaknesses: the services leave such an endpoint out and use the others. */
function downgraded(lines: readonly Line[]): readonly Line[] {
  return lines.map((line) => (line.verdict === 'fail' ? { ...line, verdict: 'weak' } : line));
}

async function readHeads(ask: Ask, endpoints: readonly number[]): Promise<readonly SeenHead[]> {
  const latest = await Promise.all(
    endpoints.map((endpoint) => ask(endpoint, 'eth_getBlockByNumber', ['latest', false])),
  );
  const height = commonHeight(latest.map((answer) => Number(blockIn(answer)?.number ?? 0))) ?? 0;
  return Promise.all(
    endpoints.map(async (endpoint, index) => {
      const answer = latest[index];
      const head = answer && blockIn(answer);
      const same = blockIn(await ask(endpoint, 'eth_getBlockByNumber', [numberToHex(height), false]));
      const [number, timestampMs] = [Number(head?.number ?? 0), Number(head?.timestamp ?? 0) * 1000];
      return { endpoint, number, timestampMs, atMs: answer?.atMs ?? 0, commonHash: same?.hash };
    }),
  );
}

async function examineExchanges(
  { network, exchanges, token }: Subject,
  ask: Ask,
  endpoint: number,
): Promise<readonly Line[]> {
  // Like the services' client, but without handling of limits and faults.
  const request = async ({ method, params = [] }: RpcCall) => resultOf(await ask(endpoint, method, params));
  const transport = custom({ request }, { retryCount: 0 });
  const client: ChainClient = createPublicClient({ chain: viemChain(network), transport });
  try {
    const verdicts = await verifyExchanges(client, exchanges);
    const inUse = verdicts.filter(isVerified);
    const lines = judgeExchanges(exchanges, verdicts);
    return inUse.length > 0 ? [...lines, judgeTrial(await tryToken(client, inUse, token))] : lines;
  } catch (error) {
    if (!(error instanceof ChainUnavailableError)) throw error;
    return [fail('registry', error.message, 'nothing starts')];
  }
}
