import { type Exchange, exchangesFileSchema, hostOf, networkOf, RPC_METHODS } from '@maker/chain';
import { controlNode, type NodeControl, type RunningNode, startHyperevmNode } from '@maker/hyperevm-node';
import { type DemoToken, type ExchangeChainPart, startChain } from '@maker/local-stack';
import { hexToBigInt, numberToHex } from 'viem';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  type Fault,
  type FaultOf,
  FaultyNode,
  type NodeAnswer,
} from '../../../../libs/chain/src/endpoints/faulty-node.fixture.ts';
import { preflight } from './preflight.ts';
import { type Line, reportText, type Section, works } from './report.ts';
import { recorded } from './request/recording.ts';
import { redactor, shownUrl } from './request/redact.ts';
import { requestOverHttp } from './request/request-over-http.ts';

let chain: ExchangeChainPart;
let node: RunningNode;
let control: NodeControl;
let proxy: FaultyNode;
let other: FaultyNode;
let registry: readonly Exchange[];

beforeAll(async () => {
  chain = await startChain({ exchanges: true, blockSeconds: 0 });
  // Fast blocks: the chain's time runs ahead, so that a big block comes soon.
  node = await startHyperevmNode({ executionUrl: chain.rpcUrl, blockMs: 50 });
  control = controlNode(node.controlUrl);
  [proxy, other] = [await FaultyNode.start(node.rpcUrl), await FaultyNode.start(node.rpcUrl)];
  // URLs like a provider's, with a key.
  for (const one of [proxy, other]) one.url += '/v2/canary-key';
  registry = exchangesFileSchema.parse(chain.exchanges);
  await control.mine(80);
}, 120_000);
afterEach(() => {
  proxy.fault = () => undefined;
  other.fault = () => undefined;
});
afterAll(async () => {
  await Promise.all([proxy?.stop(), other?.stop(), node?.stop()]);
  await chain?.stop();
});

interface Asked {
  urls?: readonly string[];
  exchanges?: readonly Exchange[];
  token?: DemoToken;
}

function subjectOf({ urls = [proxy.url], exchanges = registry, token = 'both' }: Asked) {
  const endpoints = urls.map(shownUrl);
  const limits = urls.map(() => undefined);
  const hostCount = new Set(urls.map(hostOf)).size;
  return { network: networkOf(chain.chainId), endpoints, hostCount, limits, exchanges, token: chain.tokens[token] };
}

function examine(asked: Asked = {}): Promise<readonly Section[]> {
  return preflight(subjectOf(asked), requestOverHttp(asked.urls ?? [proxy.url]));
}

const linesOf = (sections: readonly Section[]): readonly Line[] => sections.flatMap(({ lines }) => lines);
/** All lines that are not ok, without the warning of one host. */
const notWell = (sections: readonly Section[]) =>
  linesOf(sections).filter(({ verdict, what }) => verdict !== 'ok' && what !== 'hosts');

/** A transaction that the chain does not have. */
const UNKNOWN = {
  ...{ hash: `0x${'aa'.repeat(32)}`, from: `0x${'bb'.repeat(20)}`, to: null },
  ...{ value: '0x0', input: '0x', nonce: '0x0', gas: '0x5208', gasPrice: '0x1' },
};

/** Changes the answers to one method. */
const on =
  (method: string, change: (answer: NodeAnswer, params: readonly unknown[]) => Fault | undefined): FaultOf =>
  async (call, ask) =>
    call.method === method ? change(await ask(call), call.params) : undefined;
const result = (value: unknown) => () => ({ result: value });
const error = (code: number, message: string) => () => ({ error: { code, message } });

/** Changes every block in the answers. Others stay, or preflight would wait and ask again. */
const blocks = (change: (block: { number: string }) => object): FaultOf =>
  on('eth_getBlockByNumber', ({ result: block }) => (block ? { result: { ...block, ...change(block) } } : undefined));

/** Changes the answers to calls of creation code with longer data. */
const deployless = (longer: number, change: () => Fault): FaultOf =>
  on('eth_call', (answer, [call]) => {
    const { to, data } = call as { to?: string; data: string };
    return to === undefined && data.length > longer ? change() : answer;
  });

const lateBy = (seconds: number) => blocks(() => ({ timestamp: numberToHex(Math.floor(Date.now() / 1000) - seconds) }));

describe('preflight at a node with HyperEVM’s rules', () => {
  it('prints only ok lines, in columns, after few requests', async () => {
    const sections = await examine();
    expect(notWell(sections)).toEqual([]);
    expect(works(sections)).toBe(true);
    const text = reportText(sections);
    expect(text).toContain('The product works with this');
    const columns = text.split('\n').filter((line) => line.startsWith('  ok'));
    expect(columns.length).toBeGreaterThan(14);
    const [requests] = linesOf(sections).filter(({ what }) => what === 'requests');
    expect(Number.parseInt(requests?.answer ?? '', 10)).toBeLessThan(45);
  });

  it.each([
    ['refuseDeploylessCalls', { refuseDeploylessCalls: true }, ['call without recipient', 'poll of balances']],
    ['keptBlocks', { keptBlocks: 70 }, ['kept blocks']],
    ['nullAboveHead', { nullAboveHead: true }, []],
    ['refuseStateOverrides', { refuseStateOverrides: true }, []],
    ['includeSystemTransactions', { includeSystemTransactions: true }, []],
    ['secondNodeBehindMs', { secondNodeBehindMs: 30 }, []],
    ['jitterMs', { jitterMs: 20 }, []],
  ])('works with %s switched, and names weaknesses', async (_, switches, weaker) => {
    const before = await control.switches();
    await control.setSwitches(switches);
    try {
      const sections = await examine();
      expect(works(sections)).toBe(true);
      expect(notWell(sections).map(({ what }) => what)).toEqual(weaker);
    } finally {
      await control.setSwitches(before);
    }
  });

  it('reports system transactions inside blocks', async () => {
    const before = await control.switches();
    await control.setSwitches({ includeSystemTransactions: true });
    await control.setBlockInterval(0);
    const address = chain.accounts[3]?.address ?? '0x';
    await control.core.credit(address, 10n ** 18n);
    await control.core.send(address, '0x2222222222222222222222222222222222222222', 10n ** 17n);
    await control.mine(1);
    const [line] = linesOf(await examine()).filter(({ what }) => what === 'system transactions');
    expect(line).toMatchObject({ verdict: 'ok', answer: 'included in blocks, listed by block' });
    await control.setSwitches(before);
    await control.setBlockInterval(50);
  });

  describe.each(RPC_METHODS.filter(({ method }) => method !== 'eth_chainId'))(
    'without $method',
    ({ method, needed }) => {
      it('names it', async () => {
        proxy.fault = on(method, error(-32_601, `the method ${method} does not exist/is not available`));
        const sections = await examine();
        const [line] = linesOf(sections).filter(({ what }) => what === method);
        expect(line).toMatchObject({ verdict: needed ? 'fail' : 'weak' });
        expect(works(sections)).toBe(!needed);
      });
    },
  );

  it.each<[rule: string, fault: FaultOf, what: string, verdict: string, answer: string]>([
    ['another chain', on('eth_chainId', result('0x1')), 'chain id', 'fail', '1, not 31337'],
    ['no answer at all', () => ({ status: 503 }), 'chain id', 'fail', 'HTTP 503'],
    [
      'a method with a result of the wrong format',
      on('eth_getBalance', result(null)),
      'eth_getBalance',
      'fail',
      'a wrong balance',
    ],
    [
      'blocks without a base fee',
      blocks(() => ({ baseFeePerGas: undefined })),
      'newest block',
      'fail',
      'a wrong baseFeePerGas',
    ],
    ['a stopped head', lateBy(120), 'newest block', 'fail', ' s old'],
    ['expensive gas', blocks(() => ({ baseFeePerGas: '0x4a817c800' })), 'newest block', 'weak', 'base fee 20 gwei'],
    [
      'an unknown error above the head',
      on('eth_getBlockByNumber', (answer) => (answer.error ? error(-32_603, 'internal error')() : answer)),
      'block above the head',
      'fail',
      'internal error',
    ],
    [
      'another block above the head',
      on('eth_getBlockByNumber', (answer) =>
        answer.error ? { result: { number: '0x1', hash: '0x1', timestamp: '0x1' } } : answer,
      ),
      'block above the head',
      'fail',
      'a wrong hash',
    ],
    [
      'calls without recipient that answer nothing',
      deployless(0, result('0x')),
      'call without recipient',
      'fail',
      'answered 0x',
    ],
    [
      'calls of little gas',
      deployless(0, result(numberToHex(2_000_000, { size: 32 }))),
      'gas of a call',
      'fail',
      '2,000,000',
    ],
    [
      'calls of some gas',
      deployless(0, result(numberToHex(5_000_000, { size: 32 }))),
      'gas of a call',
      'weak',
      '5,000,000',
    ],
    [
      'small bodies',
      deployless(20_000, error(-32_602, 'request too large')),
      'poll of balances',
      'weak',
      'addresses a request',
    ],
    [
      'no Multicall3',
      on('eth_call', (answer, [call]) => ('to' in (call as object) ? { result: '0x' } : answer)),
      'Multicall3',
      'fail',
      'not there',
    ],
    [
      'calls of an older state',
      on('eth_call', (answer, [call]) =>
        String((call as { data: string }).data) === '0x42cbb15c'
          ? { result: numberToHex(hexToBigInt(answer.result) - 60n, { size: 32 }) }
          : answer,
      ),
      'Multicall3',
      'fail',
      'blocks ago',
    ],
    ['no receipts of a block', on('eth_getBlockReceipts', result(null)), 'block receipts', 'fail', 'no list'],
    [
      'a block that has transactions and no receipts',
      on('eth_getBlockByNumber', (answer, [, isFull]) =>
        isFull ? { result: { ...answer.result, transactions: [UNKNOWN] } } : answer,
      ),
      'block receipts',
      'fail',
      "1 of a block's are missing",
    ],
    [
      'receipts of another block',
      on('eth_getBlockReceipts', result([{ transactionHash: '0xaa', blockHash: '0xcc', status: '0x1' }])),
      'block receipts',
      'fail',
      'a wrong receipts[0]',
    ],
    [
      'no list of system transactions',
      on('eth_getSystemTxsByBlockNumber', result('none')),
      'system transactions',
      'weak',
      'not listed',
    ],
    ['big blocks that look like small ones', blocks(() => ({ gasLimit: '0x2dc6c0' })), 'big blocks', 'weak', 'gas 3 M'],
  ])('names %s', async (_, fault, what, verdict, answer) => {
    proxy.fault = fault;
    const sections = await examine();
    const [line] = linesOf(sections).filter((each) => each.what === what);
    expect(line).toMatchObject({ verdict, answer: expect.stringContaining(answer) });
    expect(line?.consequence).not.toBe('');
    if (verdict === 'fail') expect(works(sections)).toBe(false);
  });

  it('continues when throttled and says so', async () => {
    let refusals = 2;
    proxy.fault = () => (refusals-- > 0 ? { status: 429, headers: { 'retry-after': '0' } } : undefined);
    expect(works(await examine())).toBe(true);
  });
});

describe('several endpoints', () => {
  it.each<[rule: string, fault: FaultOf, what: string, answer: string]>([
    ['another chain', on('eth_chainId', result('0x1')), 'chain id', '1, not 31337'],
    ['a late head', lateBy(300), 'newest block', ' s old'],
    [
      'other blocks',
      blocks(({ number }) => ({ hash: numberToHex(BigInt(number), { size: 32 }) })),
      'endpoint 2',
      'at the head',
    ],
  ])('skips one that shows %s and uses the other', async (_, fault, what, answer) => {
    other.fault = fault;
    await control.setBlockInterval(0);
    const sections = await examine({ urls: [proxy.url, other.url] });
    await control.setBlockInterval(50);
    expect(notWell(sections)).toContainEqual(
      expect.objectContaining({ verdict: 'weak', what, answer: expect.stringContaining(answer) }),
    );
    expect(works(sections)).toBe(true);
  });
});

describe('hosts', () => {
  it.each([
    ['warns of a single one', () => [proxy.url], ['weak']],
    ['accepts two', () => [proxy.url, other.url], []],
  ])('%s', async (_, urls, verdicts) => {
    const lines = linesOf(await examine({ urls: urls() })).filter(({ what }) => what === 'hosts');
    expect(lines.map(({ verdict }) => verdict)).toEqual(verdicts);
  });
});

describe('exchanges', () => {
  const places = () =>
    registry.flatMap((exchange) =>
      ['factory', 'router', 'quoter', 'wrappedNative'].flatMap((place) =>
        place in exchange ? [[exchange, place] as const] : [],
      ),
    );

  it('names each wrong factory, router, quoter or coin', async () => {
    for (const [changed, place] of places()) {
      const exchanges = registry.map((exchange) =>
        exchange === changed ? { ...exchange, [place]: chain.tokens.thin } : exchange,
      );
      const sections = await examine({ exchanges: exchanges as Exchange[] });
      expect(notWell(sections)).toEqual([expect.objectContaining({ verdict: 'weak', what: changed.id })]);
      expect(works(sections)).toBe(true);
    }
  }, 120_000);

  it('names the missing shape and the address', async () => {
    for (const [changed, place] of places().filter(([, place]) => place !== 'wrappedNative')) {
      const elsewhere = { ...changed, [place]: chain.tokens.thin } as Exchange;
      const sections = await examine({ exchanges: registry.map((one) => (one === changed ? elsewhere : one)) });
      const [line] = notWell(sections);
      expect(line?.answer).toContain(`no ${changed.kind} at ${chain.tokens.thin}`);
    }
  }, 120_000);

  it('fails without any valid exchange', async () => {
    const exchanges = registry.map((exchange) => ({ ...exchange, router: chain.tokens.thin }));
    const sections = await examine({ exchanges });
    expect(works(sections)).toBe(false);
    expect(linesOf(sections).filter(({ verdict }) => verdict === 'fail')).toHaveLength(registry.length);
  });

  it.each([
    ['honeypot', 'cannot sell'],
    ['taxed', 'fee on transfer'],
  ] as const)('names a trial that fails: %s', async (token, words) => {
    const sections = await examine({ token });
    expect(works(sections)).toBe(false);
    expect(notWell(sections)).toEqual([
      expect.objectContaining({ what: 'trial', answer: expect.stringContaining(words) }),
    ]);
  });
});

describe('a recording', () => {
  it.each([{}, { refuseDeploylessCalls: true }, { nullAboveHead: true, keptBlocks: 70 }])(
    'prints no key for %o',
    async (switches) => {
      const before = await control.switches();
      await control.setSwitches(switches);
      proxy.fault = on('eth_getSystemTxsByBlockNumber', error(-32_601, 'canary-key may not call this'));
      const { ask, answers } = recorded(requestOverHttp([proxy.url]), redactor([proxy.url]));
      await preflight(subjectOf({}), ask);
      await control.setSwitches(before);
      const kept = JSON.stringify(answers);
      expect(kept).not.toContain('canary');
      expect(kept).toContain('[redacted] may not call this');
    },
  );
});
