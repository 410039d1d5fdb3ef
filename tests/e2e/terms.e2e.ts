import { TERMS_FACTS } from '../../apps/terms/src/terms-facts.fixture.ts';
import { expect, test } from './fixtures.ts';
import { holds } from './specification/holds.ts';

test(
  'the terms state the rules, explain orders and promise nothing',
  holds(
    '2.terms.text',
    '9.terms.updated',
    '9.terms.fee',
    '9.terms.notice',
    '9.terms.gas',
    '9.terms.age',
    '9.terms.jurisdictions',
    '9.terms.liability',
    '9.terms.disputes',
    '9.terms.wallets',
  ),
  async ({ wizard, page }) => {
    await wizard.open('/terms');
    const text = page.getByRole('main');
    for (const [name, facts] of TERMS_FACTS) {
      for (const fact of facts) await expect(text.getByText(fact).first(), name).toBeVisible();
    }
    await expect(text).toContainText('An order is a real purchase');
    await expect(text).toContainText('All orders of a job come from one public wallet');
    await expect(text).toContainText('We do not promise any result in price, volume or rank');
  },
);

test('each entry in the contents leads to its section', async ({ wizard, page }) => {
  await wizard.open('/terms');
  const entries = page.getByRole('navigation', { name: 'Contents' }).getByRole('link');
  await expect(entries.nth(8)).toBeVisible();
  const titles = await entries.allTextContents();
  for (const [index, title] of titles.entries()) {
    await entries.nth(index).click();
    await expect(page.getByRole('heading', { level: 2, name: title })).toBeFocused();
  }
});

test('Back returns, the logo leads to /', holds('2.terms.back', '2.routes', '2.logo'), async ({ wizard, page }) => {
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
});
