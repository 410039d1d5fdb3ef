import { describe, expect, it } from 'vitest';
import { causeFile, inhibitions, isPage } from './causes.ts';
import { alerts } from './rule-files.ts';

const { causes, everyPageExplains } = causeFile();

/** Faults that an operator must settle case by case: no other alert silences them. */
const NEVER_SILENCED = [
  'MakerLedgerDrift',
  'MakerMoneyHeld',
  'MakerMoneyUnclaimed',
  'MakerSigningRefused',
  'MakerJobRefused',
  'MakerCreditDropped',
  'MakerReturnsFailing',
  'MakerEventsParked',
  'MakerOutboxSetAside',
  'MakerWalletCounterBehind',
  'MakerApiKeysRefused',
  'MakerAlertingWorks',
];

describe('the cause graph', () => {
  const named = [...causes.flatMap(({ alert, explains }) => [alert, ...explains]), ...everyPageExplains];

  it.each([...new Set(named)])('%s is an alert', (name) => {
    expect(alerts().map(({ alert }) => alert)).toContain(name);
  });

  it.each(inhibitions().inhibitions)('$alert silences a page only if it pages', ({ alert, targets }) => {
    if (!isPage(alert)) expect(targets.filter(isPage)).toEqual([]);
  });

  it.each(NEVER_SILENCED)('%s is explained by nothing', (name) => {
    expect(alerts().map(({ alert }) => alert)).toContain(name);
    expect(inhibitions().symptoms).not.toContain(name);
  });

  it('reaches through effects that do not fire themselves', () => {
    const { targets = [] } = inhibitions().inhibitions.find(({ alert }) => alert === 'MakerMongoFailing') ?? {};
    expect(targets).toEqual(expect.arrayContaining(['MakerEventsFailing', 'MakerTransactionStuck']));
  });

  it('refuses a cycle with its alerts', () => {
    const circle = [
      { alert: 'A', because: '', explains: ['B'] },
      { alert: 'B', because: '', explains: ['A'] },
    ];
    expect(() => inhibitions({ causes: circle, everyPageExplains: [] })).toThrow('A explains itself: A → B → A');
  });

  it('says why, in a sentence', () => {
    for (const { because } of causes) expect(because).toMatch(/^[A-Z].*\.$/);
  });
});
