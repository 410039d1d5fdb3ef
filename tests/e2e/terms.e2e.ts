import type { SentenceId } from '../support/specification/sentences.ts';
import { expect, test } from './fixtures.ts';
import { holds } from './specification/holds.ts';

/** What the text must say, by the sentence that asks for it. */
const FACTS: readonly (readonly [SentenceId, readonly RegExp[]])[] = [
  ['9.terms.updated', [/Last updated 26 July 2025/]],
  ['9.terms.fee', [/service fee is 30% of the deposit/i, /taken immediately/, /non-refundable/]],
  [
    '9.terms.notice',
    [/change of the fee likewise needs 7 days’ notice/, /posted on this page at least 7 days before they take effect/],
  ],
  [
    '9.terms.gas',
    [/base fee plus the priority fee on the network is above 10 gwei, and resumes when they are at or below 10 gwei/],
  ],
  ['9.terms.age', [/at least 18 years old/]],
  [
    '9.terms.jurisdictions',
    [
      /the United States and its territories/,
      /Canada/,
      /Cuba/,
      /Iran/,
      /Syria/,
      /North Korea/,
      /Belarus/,
      /Russia/,
      /Crimea, Donetsk and Luhansk/,
      /Sudan and South Sudan/,
      /Venezuela/,
      /Myanmar/,
      /Afghanistan/,
      /any other region under comprehensive sanctions/,
    ],
  ],
  ['9.terms.liability', [/capped at the service fees that it received from you in the 6 months/]],
  ['9.terms.disputes', [/binding online arbitration before a single arbitrator/, /class-action waiver/i]],
  ['9.terms.wallets', [/Job wallets are controlled by the provider/, /Transactions on the network are irreversible/]],
];

for (const [sentence, texts] of FACTS) {
  test(
    `the terms say: ${sentence.replace('9.terms.', '')}`,
    holds(sentence, '2.terms.text'),
    async ({ wizard, page }) => {
      await wizard.open('/terms');
      for (const text of texts) await expect(page.getByRole('main').getByText(text).first()).toBeVisible();
    },
  );
}

test('the terms say what an order is and that no result is promised (design § 2)', async ({ wizard, page }) => {
  await wizard.open('/terms');
  const text = page.getByRole('main');
  await expect(text).toContainText('An order is a real purchase');
  await expect(text).toContainText('All orders of a job come from one public wallet');
  await expect(text).toContainText('We do not promise any result in price, volume or rank');
});

test('each entry of the contents leads to its section', async ({ wizard, page }) => {
  await wizard.open('/terms');
  const entries = page.getByRole('navigation', { name: 'Contents' }).getByRole('link');
  await expect(entries.nth(8)).toBeVisible();
  const titles = await entries.allTextContents();
  for (const [index, title] of titles.entries()) {
    await entries.nth(index).click();
    await expect(page.getByRole('heading', { level: 2, name: title })).toBeFocused();
  }
});

test(
  'Back goes to the previous history entry, the logo to /',
  holds('2.terms.back', '2.routes', '2.logo'),
  async ({ wizard, page }) => {
    const { shellUrl } = wizard.stack;
    // From outside: Back leaves the site.
    await page.goto('about:blank');
    await wizard.open('/terms');
    await expect(wizard.title('terms')).toBeVisible();
    await wizard.back.click();
    await expect(page).toHaveURL('about:blank');

    // From a step: Back leads to it.
    await wizard.toToken();
    await page.getByRole('contentinfo').getByRole('link').click();
    await expect(wizard.title('terms')).toBeFocused();
    await wizard.back.click();
    await expect(page).toHaveURL(`${shellUrl}/`);
    await expect(wizard.title('token')).toBeVisible();

    await page.getByRole('contentinfo').getByRole('link').click();
    await expect(wizard.title('terms')).toBeVisible();
    await wizard.logo.click();
    await expect(page).toHaveURL(`${shellUrl}/`);
    await expect(wizard.title('landing')).toBeVisible();
  },
);
