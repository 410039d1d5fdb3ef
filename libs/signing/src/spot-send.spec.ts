import { SpotSendTypes } from '@nktkas/hyperliquid/api/exchange';
import { signUserSignedAction } from '@nktkas/hyperliquid/signing';
import { parseSignature } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { describe, expect, it } from 'vitest';
import { SeedKeyring } from './seed-keyring.ts';
import { spotSendAction, spotSendTypedData, userSignedTypedData } from './spot-send.ts';

const KEY = '0x0123456789012345678901234567890123456789012345678901234567890123';
const DESTINATION = '0x5e9ee1089755c3435139848e47e6635505d5a13a';
const MNEMONIC = 'test test test test test test test test test test test junk';

/**
 * Signatures from the tests of HyperCore's official Python SDK: github.com/hyperliquid-dex/hyperliquid-python-sdk,
 * tests/signing_test.py at 7ee976d. None of them is of a spotSend; all user-signed actions have one form.
 */
const PUBLISHED = [
  {
    primaryType: 'HyperliquidTransaction:UsdSend',
    r: '0x637b37dd731507cdd24f46532ca8ba6eec616952c56218baeff04144e4a77073',
    s: '0x11a6a24900e6e314136d2592e2f8d502cd89b7c15b198e1bee043c9589f9fad7',
    v: 27n,
  },
  {
    primaryType: 'HyperliquidTransaction:Withdraw',
    r: '0x8363524c799e90ce9bc41022f7c39b4e9bdba786e5f9c72b20e43e1462c37cf9',
    s: '0x58b1411a775938b83e29182e8ef74975f9054c8e97ebf5ec2dc8d51bfc893881',
    v: 28n,
  },
] as const;

describe('an action on HyperCore', () => {
  it.each(PUBLISHED)('is signed as the official SDK does it: $primaryType', async ({ primaryType, r, s, v }) => {
    const fields = [
      { name: 'hyperliquidChain', type: 'string' },
      { name: 'destination', type: 'string' },
      { name: 'amount', type: 'string' },
      { name: 'time', type: 'uint64' },
    ];
    const action = {
      signatureChainId: '0x66eee',
      hyperliquidChain: 'Testnet',
      destination: DESTINATION,
      amount: '1',
      time: 1_687_816_341_423,
    } as const;
    const signed = await privateKeyToAccount(KEY).signTypedData(userSignedTypedData(primaryType, fields, action));
    expect(parseSignature(signed)).toMatchObject({ r, s, v });
  });

  it.each(['Mainnet', 'Testnet'] as const)(
    'is signed as an independent library signs a spotSend: %s',
    async (chain) => {
      const action = spotSendAction({
        hyperCoreChain: chain,
        chainId: 999,
        destination: DESTINATION,
        token: 'HYPE:0x0d01dc56dcaaca66ad901c959b4011ec',
        amount: '0.25',
        timeMs: 1_687_816_341_423,
      });
      const wallet = privateKeyToAccount(KEY);
      const theirs = await signUserSignedAction({ wallet, action, types: SpotSendTypes });
      const { r, s, v } = parseSignature(await wallet.signTypedData(spotSendTypedData(action)));
      expect({ r, s, v: Number(v) }).toEqual(theirs);
    },
  );

  it('comes from the seed’s wallet', async () => {
    const wallet = SeedKeyring.fromMnemonic(MNEMONIC).wallet(0);
    const send = {
      hyperCoreChain: 'Testnet',
      chainId: 998,
      destination: '0x5E9EE1089755c3435139848e47e6635505d5a13A',
      token: 'HYPE:0x7317beb7cceed72ef0b346074cc8e7ab',
      amount: '0.25',
      timeMs: 1_700_000_000_000,
    } as const;
    const { action, nonce, signature } = await wallet.signSpotSend(send);
    expect(nonce).toBe(send.timeMs);
    expect(action).toEqual(spotSendAction(send));
    expect(action).toMatchObject({
      type: 'spotSend',
      signatureChainId: '0x3e6',
      destination: DESTINATION,
      time: send.timeMs,
    });
    const account = privateKeyToAccount('0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80');
    const { r, s, v } = parseSignature(await account.signTypedData(spotSendTypedData(action)));
    expect(signature).toEqual({ r, s, v: Number(v) });
    // Both values of v occur among a few signatures: each must be right so that HyperCore recovers the wallet.
    for (const timeMs of [1, 2, 3, 4, 5, 6, 7, 8]) {
      const again = await wallet.signSpotSend({ ...send, timeMs });
      const theirs = parseSignature(await account.signTypedData(spotSendTypedData(again.action)));
      expect(again.signature).toMatchObject({ v: Number(theirs.v) });
    }
  });
});
