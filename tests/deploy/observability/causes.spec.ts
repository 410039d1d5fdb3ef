import { describe, expect, it } from 'vitest';
import { causeFile, inhibitions } from './causes.ts';
import { alerts } from './rule-files.ts';

const { causes, everyCauseExplains } = causeFile();
const severitiesOf = (alert: string) => alerts().flatMap((rule) => (rule.alert === alert ? rule.labels?.severity : []));

/** What only a person can settle: it is told whatever else is wrong. */
const ALWAYS_TOLD = [
  'MakerLedgerDrift',
  'MakerMoneyHeld',
  'MakerMoneyUnclaimed',
  'MakerSigningRefused',
  'MakerJobRefused',
  'MakerCreditDropped',
  'MakerReturnsFailing',
  'MakerDeadLetters',
  'MakerOutboxSetAside',
  'MakerWalletCounterBehind',
  'MakerApiKeysRefused',
  'MakerAlertingWorks',
];

describe('the cause graph', () => {
  const named = [...causes.flatMap(({ alert, explains }) => [alert, ...explains]), ...everyCauseExplains];

  it.each([...new Set(named)])('%s is an alert', (name) => {
    expect(alerts().map(({ alert }) => alert)).toContain(name);
  });

  it.each(causes.map(({ alert }) => alert))('%s wakes somebody itself: what it explains is silent', (name) => {
    expect(new Set(severitiesOf(name))).toEqual(new Set(['critical']));
  });

  it.each(ALWAYS_TOLD)('%s is explained by nothing', (name) => {
    expect(alerts().map(({ alert }) => alert)).toContain(name);
    expect(inhibitions().symptoms).not.toContain(name);
  });

  it('reaches through effects that do not fire themselves', () => {
    const { targets = [] } = inhibitions().inhibitions.find(({ alert }) => alert === 'MakerMongoFailing') ?? {};
    expect(targets).toEqual(expect.arrayContaining(['MakerDepositNotCredited', 'MakerTransactionStuck']));
  });

  it('refuses a circle, by name', () => {
    const circle = [
      { alert: 'A', because: '', explains: ['B'] },
      { alert: 'B', because: '', explains: ['A'] },
    ];
    expect(() => inhibitions({ causes: circle, everyCauseExplains: [] })).toThrow('A explains itself: A → B → A');
  });

  it('says why, in a sentence', () => {
    for (const { because } of causes) expect(because).toMatch(/^[A-Z].*\.$/);
  });
});
