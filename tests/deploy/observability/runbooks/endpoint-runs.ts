import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { FaultyNode } from '../../../../libs/chain/src/endpoints/faulty-node.fixture.ts';
import { answersAgain, tradesAgain, tradesOn } from './mended.ts';
import type { Run, RunbookStage } from './runbook-stage.ts';

const VALIDATION = 'token-validation';
const WATCHER = 'payment-watcher';

/** Far fewer requests than the product sends. */
const REQUESTS_PER_MINUTE = 30;

/** The endpoint's plan is far too small. */
async function limitTheEndpoint(stage: RunbookStage) {
  const { JOB } = await stage.startTrading();
  await stage.product.control.setSwitches({ requestsPerMinute: REQUESTS_PER_MINUTE });
  return { JOB, SERVICE: stage.stack.ops[WATCHER] };
}

async function liftTheLimit(stage: RunbookStage): Promise<void> {
  await stage.product.control.setSwitches({ requestsPerMinute: 0 });
  await stage.untilReady(WATCHER);
}

/** No answer of the chain reaches a service. */
async function cutTheChain(stage: RunbookStage) {
  const { JOB } = await stage.startTrading();
  stage.reach('chain', false);
  return { JOB, SERVICE: stage.stack.ops[WATCHER] };
}

async function joinTheChain(stage: RunbookStage) {
  stage.reach('chain', true);
  await stage.untilReady(WATCHER);
}

async function stopTheChain(stage: RunbookStage) {
  const { JOB } = await stage.startTrading();
  await stage.product.control.setBlockInterval(0);
  return { JOB, SERVICE: stage.stack.ops['maker-executor'] };
}

async function letTheChainGoOn({ product, blockMs }: RunbookStage): Promise<void> {
  await product.control.setBlockInterval(blockMs);
}

/** The second endpoint of the list serves another chain. */
class OtherChain {
  private proxy: FaultyNode | undefined;

  readonly addToTheList = async ({ running, stack }: RunbookStage) => {
    const proxy = await FaultyNode.start(stack.rpcUrl);
    proxy.fault = ({ method }) => (method === 'eth_chainId' ? { result: '0x3e6' } : undefined);
    this.proxy = proxy;
    await running.restart(VALIDATION, 0, { CHAIN_RPC_URLS: `${stack.rpcUrl},${proxy.url}` });
    return { RPC: proxy.url, SERVICE: stack.ops[VALIDATION] };
  };

  readonly takeOut = async (stage: RunbookStage) => {
    await stage.running.restart(VALIDATION, 0, { CHAIN_RPC_URLS: stage.chainUrl });
    await this.proxy?.stop();
  };
}

const otherChain = new OtherChain();

/** Calls read balances; blocks need none. */
const CALL_TAKES_MS = 2000;

/** The endpoint answers calls slowly. */
class SlowCalls {
  private proxy: FaultyNode | undefined;

  readonly begin = async (stage: RunbookStage) => {
    const { jobId } = await stage.create();
    const proxy = await FaultyNode.start(stage.stack.rpcUrl);
    proxy.fault = async ({ method }) => {
      if (method === 'eth_call') await wait(CALL_TAKES_MS);
      return undefined;
    };
    this.proxy = proxy;
    await stage.running.restart(WATCHER, 0, { CHAIN_RPC_URLS: proxy.url });
    return { JOB: jobId, RPC: proxy.url, SERVICE: stage.stack.ops[WATCHER] };
  };

  readonly end = async (stage: RunbookStage) => {
    await stage.running.restart(WATCHER, 0, { CHAIN_RPC_URLS: stage.chainUrl });
    await this.proxy?.stop();
  };
}

const slowCalls = new SlowCalls();

const listOfExchanges = ({ folder }: RunbookStage) => join(folder, 'exchanges-in-use.json');

/** The listed router has no code. */
async function listAWrongExchange(stage: RunbookStage) {
  const EXCHANGES = listOfExchanges(stage);
  const listed = await readFile(join(stage.running.directory, 'exchanges.json'), 'utf8');
  const exchanges = JSON.parse(listed) as { router: string }[];
  const [first, ...others] = exchanges;
  await writeFile(EXCHANGES, JSON.stringify([{ ...first, router: stage.stack.treasury }, ...others]));
  await stage.running.restart(VALIDATION, 0, { CHAIN_EXCHANGES_FILE: EXCHANGES });
  return { EXCHANGES, RPC: stage.stack.rpcUrl, SERVICE: stage.stack.ops[VALIDATION] };
}

async function mendTheList(stage: RunbookStage): Promise<void> {
  await writeFile(listOfExchanges(stage), await readFile(join(stage.running.directory, 'exchanges.json'), 'utf8'));
  await stage.running.restart(VALIDATION);
}

/** Faults of the chain's endpoints and of the chain's configuration. */
export const ENDPOINT_RUNS: readonly Run[] = [
  {
    runbook: 'rpc-failing',
    alert: 'MakerRpcFailing',
    patience: { '[5m]': '[1m]', '>= 10': '>= 2' },
    makeFault: limitTheEndpoint,
    shows: /outcome="rate_limited".* [1-9]/,
    blocksBefore: 1,
    elsewhere: liftTheLimit,
    isMended: tradesOn,
  },
  {
    runbook: 'rpc-endpoint-refused',
    alert: 'MakerRpcEndpointRefused',
    makeFault: otherChain.addToTheList,
    shows: /0x3e6[\s\S]*state="wrong_chain".* 1$/m,
    blocksBefore: 1,
    elsewhere: otherChain.takeOut,
    isMended: answersAgain,
  },
  {
    runbook: 'balance-polls-heavy',
    alert: 'MakerBalancePollsHeavy',
    patience: { '[10m]': '[1m]' },
    makeFault: slowCalls.begin,
    shows: /^maker_watcher_poll_seconds_sum.*[\s\S]*answered in [2-9]/m,
    blocksBefore: 1,
    elsewhere: slowCalls.end,
    isMended: tradesAgain,
  },
  {
    runbook: 'watcher-lag',
    alert: 'MakerPaymentsUnseen',
    inStep: true,
    patience: { '> 30': '> 15' },
    makeFault: cutTheChain,
    shows: /"chain"/,
    blocksBefore: 1,
    elsewhere: joinTheChain,
    isMended: tradesOn,
  },
  {
    runbook: 'chain-stalled',
    alert: 'MakerChainStalled',
    inStep: true,
    patience: { '> 60': '> 15' },
    makeFault: stopTheChain,
    shows: /"result":"(0x[0-9a-f]+)"[\s\S]*"result":"\1"/,
    blocksBefore: 1,
    elsewhere: letTheChainGoOn,
    isMended: tradesOn,
  },
  {
    runbook: 'exchange-set-aside',
    alert: 'MakerExchangeSetAside',
    makeFault: listAWrongExchange,
    shows: /there is no contract at its router/,
    blocksBefore: 1,
    elsewhere: mendTheList,
    isMended: answersAgain,
  },
];
