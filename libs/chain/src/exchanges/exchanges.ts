import type { Address } from 'viem';
import { z } from 'zod';
import { type Exchange, exchangeSchema } from '../shapes/shapes.ts';

/** The content of `CHAIN_EXCHANGES_FILE`. */
export const exchangesFileSchema = z
  .array(exchangeSchema)
  .min(1)
  .refine((entries) => new Set(entries.map((entry) => entry.id)).size === entries.length, 'ids must be unique');

const WHYPE: Address = '0x5555555555555555555555555555555555555555';
const TESTNET_WHYPE: Address = '0xADcb2f358Eae6492F61A5F87eb8893d09391d160';

/**
 * Exchanges by chain id. hyperevm §§ 2.1 and 2.3 name the sources of each address; the product also checks each entry on the chain at
 * start. A file in `CHAIN_EXCHANGES_FILE` overrides this list, on any network. The verifier of receipts reads exchanges from this
 * list: keep an entry while receipts name its router.
 */
export const EXCHANGES: Readonly<Record<number, readonly Exchange[]>> = {
  999: [
    {
      id: 'hyperswap-v2',
      kind: 'camelot-v2',
      factory: '0x724412C00059bf7d6ee7d4a1d0D5cd4de3ea1C48',
      router: '0xb4a9C4e6Ea8E2191d2FA5B380452a634Fb21240A',
      wrappedNative: WHYPE,
    },
    {
      id: 'hyperswap-v3',
      kind: 'uniswap-v3',
      factory: '0xB1c0fa0B789320044A6F623cFe5eBda9562602E3',
      router: '0x6D99e7f6747AF2cDbB5164b6DD50e40D4fDe1e77',
      quoter: '0x03A918028f22D9E1473B7959C927AD7425A45C7C',
      wrappedNative: WHYPE,
      routerHasDeadline: false,
      quoterVersion: 2,
    },
    {
      // Sources disagree on the quoter's version and do not name the router's: both are read from the code at start.
      id: 'projectx-v3',
      kind: 'uniswap-v3',
      factory: '0xFf7B3e8C00e57ea31477c32A5B52a58Eea47b072',
      router: '0x1EbDFC75FfE3ba3de61E7138a3E8706aC841Af9B',
      quoter: '0x239F11a7A3E08f2B8110D4CA9F6B95d4c8865258',
      wrappedNative: WHYPE,
    },
    {
      id: 'hybra-v3',
      kind: 'uniswap-v3',
      factory: '0x2dC0Ec0F0db8bAF250eCccF268D7dFbF59346E5E',
      router: '0x7DB3D09fF3B398A771d0e2cdE8ac612941C9E801',
      quoter: '0x9AAa88ddd409C015F3ab3F557D3B138ec3cd66C0',
      wrappedNative: WHYPE,
      quoterVersion: 2,
    },
    {
      // Only one source names the router and quoter.
      id: 'laminar-v3',
      kind: 'uniswap-v3',
      factory: '0x40059A6F242C3de0E639693973004921B04D96AD',
      router: '0x0693cA7a4ef80032d194DF0DCe8007bc597fA736',
      quoter: '0xFAA395Ba815A7fB88F463057EC1Ef4f84EF78e18',
      wrappedNative: WHYPE,
      routerHasDeadline: false,
      quoterVersion: 2,
    },
    {
      id: 'kittenswap',
      kind: 'algebra-integral',
      factory: '0x5f95E92c338e6453111Fc55ee66D4AafccE661A7',
      router: '0x4e73E421480a7E0C24fB3c11019254edE194f736',
      quoter: '0xc58874216AFe47779ADED27B8AAd77E8Bd6eBEBb',
      wrappedNative: WHYPE,
    },
  ],
  998: [
    {
      id: 'hyperswap-v2',
      kind: 'camelot-v2',
      factory: '0xA028411927E2015A363014881a4404C636218fb1',
      router: '0x85aA63EB2ab9BaAA74eAd7e7f82A571d74901853',
      wrappedNative: TESTNET_WHYPE,
    },
    {
      id: 'hyperswap-v3',
      kind: 'uniswap-v3',
      factory: '0x22B0768972bB7f1F5ea7a8740BB8f94b32483826',
      router: '0xD81F56576B1FF2f3Ef18e9Cc71Adaa42516fD990',
      quoter: '0x7FEd8993828A61A5985F384Cee8bDD42177Aa263',
      wrappedNative: TESTNET_WHYPE,
      routerHasDeadline: true,
    },
  ],
};
