// @vitest-environment happy-dom
import type { WizardPlace } from '@maker/web-kit';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { KeptPlace } from './kept-place.ts';

const AMOUNT: WizardPlace = {
  step: 'amount',
  token: {
    tokenAddress: '0x1234567890123456789012345678901234567890',
    liquidityStatus: { meetsMinimum: true, hasV2: true, hasV3: false },
  },
};

const pageLoad = (isReload: boolean) =>
  new KeptPlace(
    () => sessionStorage,
    () => isReload,
  );

beforeEach(() => sessionStorage.clear());

describe('the place of the wizard in a tab', () => {
  it('is restored by every reload', () => {
    pageLoad(false).keep(AMOUNT);
    expect(pageLoad(true).restore()).toEqual(AMOUNT);
    expect(pageLoad(true).restore()).toEqual(AMOUNT);
  });

  it('is forgotten by a new visit in the same tab', () => {
    pageLoad(false).keep(AMOUNT);
    expect(pageLoad(false).restore()).toBeUndefined();
  });

  it('is deleted at the landing', () => {
    pageLoad(false).keep(AMOUNT);
    pageLoad(false).keep({ step: 'landing' });
    expect(pageLoad(true).restore()).toBeUndefined();
  });

  it('ignores data of another version', () => {
    pageLoad(false).keep(AMOUNT);
    sessionStorage.setItem('hyperevm-maker.place', JSON.stringify(AMOUNT).replace('liquidityStatus', 'liquidity'));
    expect(pageLoad(true).restore()).toBeUndefined();
  });

  it('is not kept without storage', () => {
    const logged = vi.spyOn(console, 'info').mockReturnValue();
    const refusing = () => {
      throw new DOMException('denied', 'SecurityError');
    };
    const place = new KeptPlace(refusing, () => true);
    place.keep(AMOUNT);
    expect(place.restore()).toBeUndefined();
    expect(logged).toHaveBeenCalledTimes(2);
    logged.mockRestore();
  });
});
