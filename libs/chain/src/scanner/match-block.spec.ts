import type { Address, Hash } from 'viem';
import { expect, it } from 'vitest';
import { matchBlock } from './match-block.ts';
import { WatchedAddresses } from './watched-addresses.ts';
import type { WireBlock, WireTransaction } from './wire-block.ts';

const WALLET: Address = `0x${'aa'.repeat(20)}`;
const PAYER: Address = `0x${'bb'.repeat(20)}`;
const CONTRACT: Address = `0x${'cc'.repeat(20)}`;
const HASH: Hash = `0x${'11'.repeat(32)}`;
const namingWallet = `0x12345678${'00'.repeat(12)}${WALLET.slice(2)}` as const;

function match(transaction: Partial<WireTransaction>) {
  const watched = new WatchedAddresses();
  watched.add(WALLET);
  const block: WireBlock = {
    number: '0x1',
    hash: `0x${'01'.repeat(32)}`,
    parentHash: `0x${'00'.repeat(32)}`,
    gasLimit: '0x1',
    timestamp: '0x1',
    transactions: [{ hash: HASH, from: PAYER, to: CONTRACT, value: '0x0', input: '0x', ...transaction }],
  };
  return matchBlock(block, watched);
}

it('takes a plain transfer with its sender', () => {
  expect(match({ to: WALLET, value: '0x5', gasPrice: '0x3b9aca00' })).toEqual({
    transfers: [{ transactionHash: HASH, from: PAYER, to: WALLET, amountWei: 5n }],
    mentions: [],
    senders: [],
  });
});

it('treats a naming contract call as a mention', () => {
  expect(match({ input: namingWallet, value: '0x5' })).toEqual({
    transfers: [],
    mentions: [{ transactionHash: HASH, address: WALLET }],
    senders: [],
  });
});

it('mentions an address once, however many transactions name it', () => {
  const watched = new WatchedAddresses();
  watched.add(WALLET);
  const transactions = Array.from({ length: 300 }, (_, index) => ({
    hash: `0x${index.toString(16).padStart(64, '0')}` as const,
    from: PAYER,
    to: CONTRACT,
    value: '0x0' as const,
    input: namingWallet,
  }));
  const block = {
    number: '0x1',
    hash: HASH,
    parentHash: HASH,
    timestamp: '0x1',
    gasLimit: '0x1',
    transactions,
  } as const;
  expect(matchBlock(block, watched).mentions).toEqual([{ transactionHash: transactions[0]?.hash, address: WALLET }]);
});

it('treats a payment that names its recipient as payment', () => {
  const { transfers, mentions } = match({ to: WALLET, input: namingWallet, value: '0x5' });
  expect(transfers).toHaveLength(1);
  expect(mentions).toEqual([]);
});

it('sees a wallet’s sends and ignores its trades', () => {
  expect(match({ from: WALLET, input: namingWallet, value: '0x5' })).toEqual({
    transfers: [],
    mentions: [],
    senders: [WALLET],
  });
  expect(match({ from: WALLET, to: WALLET, value: '0x5' })).toEqual({ transfers: [], mentions: [], senders: [WALLET] });
});

it('leaves out calls without value and contract creations', () => {
  expect(match({ to: WALLET }).transfers).toEqual([]);
  expect(match({ to: null, value: '0x5' }).transfers).toEqual([]);
});

it.each([
  ['by its sender', { from: `0x${'22'.repeat(20)}` as const }],
  ['by the sender that another token has', { from: `0x20${'00'.repeat(18)}c8` as const }],
  ['by its price', { gasPrice: '0x0' as const }],
])('recognises a HyperCore credit %s', (_, transaction) => {
  const { transfers } = match({ to: WALLET, value: '0x5', ...transaction });
  expect(transfers).toEqual([{ transactionHash: HASH, from: null, to: WALLET, amountWei: 5n }]);
});
