import type { TermsSection } from '../section.ts';

/** Description and promises of the product. Source: design §§ 2 and 4. */
export const serviceSections: readonly TermsSection[] = [
  {
    id: 'agreement',
    title: 'Your agreement with us',
    body: (
      <>
        <p>
          These terms are a contract between you and the provider of the HyperEVM Maker Bot (“we”, “the provider”). By
          continuing past the first page, and again by ticking the box before a job is created, you accept them. If you
          do not accept them, do not send anything to a payment address.
        </p>
        <p>
          No account is needed. A “job” is one use of the service: one token, one budget, one payment address. You are
          the person who creates a job or pays for it.
        </p>
      </>
    ),
  },
  {
    id: 'orders',
    title: 'What an order is',
    body: (
      <>
        <p>
          For a job, a bot places many small orders for the token you chose. An order is a real purchase from the
          liquidity of a decentralised exchange, at a price quoted beforehand and with a limit on how far the price may
          slip. The tokens that an order buys belong to you and are delivered to you.
        </p>
        <ul>
          <li>
            An order usually buys for 0.0004 HYPE, and never for less than 0.0003 HYPE. Its gas is paid from the
            operating reserve while that lasts, then from the budget. “Estimated makers” in the wizard is the HYPE that
            pays for orders, divided by 0.0005 and by 0.0003 HYPE, and nothing else.
          </li>
          <li>
            While network fees are high, up to 16 neighbouring orders are merged into one. There are then fewer and
            larger orders than estimated, and the receipt says so.
          </li>
          <li>
            Orders are placed on a fixed schedule that your receipt shows. Sizes and intervals are not varied to look
            like more than one buyer.
          </li>
          <li>
            A job never sells what it bought back into the pool, never trades with the wallet of another job or with
            ours, and never pays another wallet to trade for it.
          </li>
          <li>
            When the price is well above the price you saw before you paid, the job waits. It does not hold a price up.
          </li>
        </ul>
      </>
    ),
  },
  {
    id: 'wallet',
    title: 'One public wallet',
    body: (
      <>
        <p>
          All orders of a job come from one public wallet. It is the payment address of the job, and it is shown to you
          from the moment the job exists. There is never a second trading wallet.
        </p>
        <p>Every order, fee, delivery and return of a job is on its receipt, with its transaction.</p>
      </>
    ),
  },
  {
    id: 'no-promise',
    title: 'No result is promised',
    body: (
      <>
        <p>
          <strong>We do not promise any result in price, volume or rank.</strong> We do not promise a number of traders
          or holders, a listing, or attention of any kind. The service places the orders that your budget pays for. We
          do not control how the market, an exchange, a chart site or anybody else reacts to them.
        </p>
        <p>
          Nothing on this site is investment, legal or tax advice. Tokens can lose all of their value, including those
          that your job buys for you.
        </p>
      </>
    ),
  },
  {
    id: 'pauses',
    title: 'When a job pauses or ends early',
    body: (
      <>
        <p>
          <strong>Max-gas guardrail.</strong> A job pauses while the base fee plus the priority fee on the network is
          above 10 gwei, and resumes when they are at or below 10 gwei.
        </p>
        <p>
          A job also waits while the price is outside its band and while the liquidity of the token is too thin. Each
          pause and its reason is on the receipt.
        </p>
        <p>
          <strong>Stop.</strong> You can end your job at any time with its private code or in the browser that created
          it. After that, no more orders are placed. The bought tokens are delivered, and the unspent HYPE is returned.
          The service fee is not refunded.
        </p>
        <p>
          <strong>Latest end.</strong> Each job has a latest end, which the wizard shows before you pay. No order is
          placed after it.
        </p>
        <p>
          A job ends before its budget is spent when the liquidity does not come back, when the token keeps refusing
          purchases, or after a technical failure. The unspent HYPE is then returned as “Service fee, budget and return”
          says.
        </p>
      </>
    ),
  },
];
