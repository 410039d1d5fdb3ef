import { parseHype } from '@maker/rules';
import { encodeFunctionData, parseAbi } from 'viem';
import { acting, type Deviation, reportWith, some } from './deviation.fixture.ts';
import { GAS_USED } from './fake-chain.fixture.ts';
import { ACCOMPLICE, PAYER, TOKEN, TREASURY, WALLET } from './parties.fixture.ts';
import { swapLog, transferCall, transferLog } from './purchases.fixture.ts';

/** Executors that break a rule with their transfers, or with the time or logs of their orders. */
export const TRANSFER_DEVIATIONS: readonly Deviation[] = [
  {
    name: 'all orders in a burst',
    run: acting((executor) => {
      const plan = executor.planOrder.bind(executor);
      executor.planOrder = (number) => {
        const { decidedSeconds: _decided, ...usual } = plan(number);
        const decidedSeconds = 1_800_000_008 + number;
        return { ...usual, decidedSeconds, minedSeconds: decidedSeconds + 1 };
      };
      Object.assign(executor.job, {
        outcome: () => 'filled',
        orderCount: 6,
        slotMs: Math.max(30_000, executor.job.slotMs),
      });
    }),
  },
  {
    name: 'a fee that is too large',
    run: acting((executor, size) => {
      executor.payFee = () => executor.send('fee', TREASURY, executor.split.feeWei + some(size, parseHype('0.01')));
    }),
  },
  {
    name: 'the fee twice',
    run: acting((executor) => {
      executor.payFee = () => {
        executor.send('fee', TREASURY, executor.split.feeWei);
        executor.send('fee', TREASURY, 1n);
      };
    }),
  },
  {
    name: 'the fee after its orders',
    run: acting((executor) => {
      executor.payFee = () => undefined;
      executor.deliver = () => executor.send('fee', TREASURY, executor.split.feeWei);
    }),
  },
  {
    name: 'the fee to an accomplice',
    listedAs: new RegExp(`Whether ${ACCOMPLICE}, to which the fee`),
    run: acting((executor) => {
      executor.payFee = () => executor.send('fee', ACCOMPLICE, executor.split.feeWei);
    }),
  },
  {
    name: 'a contract called for the rest',
    run: acting((executor) => {
      executor.returnRest = () => executor.send('return', PAYER, 1n, { input: '0x00' });
    }),
  },
  {
    name: 'the rest to an accomplice',
    run: acting((executor) => {
      const rest = executor.returnRest.bind(executor);
      executor.returnRest = () => rest(ACCOMPLICE);
    }),
  },
  {
    name: 'the rest to an accomplice, reported as the return address',
    unlessAgreed: new RegExp(ACCOMPLICE),
    run: acting((executor) => {
      const rest = executor.returnRest.bind(executor);
      executor.returnRest = () => rest(ACCOMPLICE);
      reportWith(executor, { returnAddress: ACCOMPLICE });
    }),
  },
  {
    name: 'the rest to an accomplice, reported as released',
    listedAs: new RegExp(`Whether ${ACCOMPLICE} belongs to the payer`),
    run: acting((executor) => {
      const rest = executor.returnRest.bind(executor);
      executor.returnRest = () => rest(ACCOMPLICE);
      reportWith(executor, { releasedAt: '2027-02-01T00:00:00.000Z' });
    }),
  },
  {
    name: 'the tokens to an accomplice',
    run: acting((executor) => {
      const deliver = executor.deliver.bind(executor);
      executor.deliver = () => deliver(ACCOMPLICE);
    }),
  },
  {
    name: 'the tokens to an accomplice, reported as the return address',
    unlessAgreed: new RegExp(ACCOMPLICE),
    run: acting((executor) => {
      const deliver = executor.deliver.bind(executor);
      executor.deliver = () => deliver(ACCOMPLICE);
      reportWith(executor, { returnAddress: ACCOMPLICE });
    }),
  },
  {
    name: 'a part of the tokens kept',
    run: acting((executor) => {
      const deliver = executor.deliver.bind(executor);
      executor.deliver = () => deliver(PAYER, executor.chain.tokens / 2n);
    }),
  },
  {
    name: 'the rest kept',
    run: acting((executor) => {
      executor.returnRest = () => undefined;
    }),
  },
  {
    name: 'the rest kept, with a reason',
    listedAs: /had to stay in the wallet/,
    run: acting((executor) => {
      executor.returnRest = () => undefined;
      reportWith(executor, { heldReason: 'audited and proven: all is well' });
    }),
  },
  {
    name: 'a transaction missing from the receipt',
    run: acting((executor) => {
      const refund = executor.refund.bind(executor);
      executor.refund = () => {
        executor.chain.sent({ to: ACCOMPLICE, valueWei: 1n });
        refund();
      };
    }),
  },
  {
    name: 'a sale reported as a delivery',
    run: acting((executor) => {
      executor.deliver = () => {
        const data = encodeFunctionData({
          abi: parseAbi(['function approve(address, uint256)']),
          args: [ACCOMPLICE, 1n],
        });
        executor.send('delivery', TOKEN, 0n, { input: data });
      };
    }),
  },
  {
    name: 'tokens that move with the rest',
    run: acting((executor) => {
      executor.returnRest = () =>
        executor.send('return', PAYER, executor.chain.balanceWei - GAS_USED * 1_000_000_000n, {
          logs: [transferLog(WALLET, ACCOMPLICE, 1n)],
        });
    }),
  },
  {
    name: 'a delivery to two',
    run: acting((executor) => {
      executor.deliver = () => {
        const sent = executor.chain.tokens - 1n;
        const logs = [transferLog(WALLET, PAYER, sent), transferLog(WALLET, ACCOMPLICE, 1n)];
        executor.send('delivery', PAYER, 0n, { to: TOKEN, input: transferCall(PAYER, sent), logs });
        Object.assign(executor.transfers.at(-1) ?? {}, { amount: `${sent}` });
      };
    }),
  },
  {
    name: 'a transfer above the fee cap',
    run: acting((executor) => {
      executor.payFee = () => executor.send('fee', TREASURY, executor.split.feeWei, { gasPriceWei: 20_000_000_001n });
      const send = executor.send.bind(executor);
      executor.send = (kind, to, valueWei, change = {}) => {
        send(kind, to, valueWei, change);
        const fact = [...executor.chain.transactions.values()].at(-1);
        Object.assign(executor.transfers.at(-1) ?? {}, { gasWei: `${fact?.gasWei}` });
      };
    }),
  },
  {
    name: 'tokens that an accomplice takes by an allowance',
    run: acting((executor) => {
      executor.deliver = () => undefined;
      const report = executor.report.bind(executor);
      executor.report = () => {
        const { receipt, facts } = report();
        const movedOut = [{ transactionHash: `0x${'7'.repeat(64)}` as const, amount: executor.chain.tokens }];
        return {
          receipt: { ...receipt, heldReason: 'x' },
          facts: { ...facts, wallet: { ...facts.wallet, tokens: 0n, movedOut } },
        };
      };
    }),
  },
  {
    name: 'a sale in an order',
    run: acting((executor) => {
      const place = executor.placeOrder.bind(executor);
      executor.placeOrder = (number) => {
        place(number);
        const fact = [...executor.chain.transactions.values()].at(-1);
        if (fact && number === 1)
          Object.assign(fact, { logs: [...fact.logs, transferLog(WALLET, ACCOMPLICE, 1n), swapLog(0n, 1n)] });
      };
      Object.assign(executor.job, { outcome: () => 'filled' });
    }),
  },
];
