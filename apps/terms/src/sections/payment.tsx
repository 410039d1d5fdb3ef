import type { TermsSection } from '../section.ts';

/** Money: payment, fee, budget and return. Source: specification § 9, design § 4. */
export const paymentSections: readonly TermsSection[] = [
  {
    id: 'payment',
    title: 'Payment',
    body: (
      <>
        <p>
          You pay by sending HYPE by hand, on the network shown, to the payment address of your job. The smallest budget
          is 0.25 HYPE unless the wizard shows another minimum; the largest is 1000 HYPE.
        </p>
        <ul>
          <li>
            A payment must be in a block whose time is not after the deadline: 15 minutes from the creation of the job.
            The block’s time counts, not the time at which we saw it. Payments before the deadline are added up.
          </li>
          <li>A job starts when the payments before the deadline reach its amount. If they do not, it expires.</li>
          <li>
            HYPE that you pay above the job’s amount before the deadline adds to its budget, up to 1000 HYPE. HYPE above
            1000 HYPE, HYPE that arrives too late and HYPE that was too little to start a job is returned, less the
            network fee. If it cannot be returned, it is held for you, with the reason.
          </li>
          <li>
            A payment address belongs to one job. Do not send anything else to it. Do not send anything later than 24
            hours after the job has ended: from then on we no longer watch it.
          </li>
        </ul>
      </>
    ),
  },
  {
    id: 'fee',
    title: 'Service fee, budget and return',
    body: (
      <>
        <p>
          <strong>The service fee is 30% of the deposit.</strong> It is taken immediately when the job becomes active
          and is non-refundable, even if the job later pauses, fails or is cancelled.
        </p>
        <p>
          Of the remaining 70%, 0.1 HYPE is set aside as the operating reserve. It pays for the gas of orders and of the
          transactions that deliver the tokens and return the rest; 0.006 HYPE of it is kept for these transactions.
          Everything else pays for orders. HYPE that is not spent of either part is returned.
        </p>
        <p>
          When a job ends, the tokens it bought and the HYPE it did not spend go to the return address that you entered
          or, without one, to the address that paid. If the network does not show who paid, they are held until an
          operator confirms the address that you enter with your private code. Do not enter an address at an exchange,
          and do not pay from one: the exchange may not credit you.
        </p>
      </>
    ),
  },
  {
    id: 'custody',
    title: 'Job wallets and irreversible transactions',
    body: (
      <>
        <p>
          Job wallets are controlled by the provider: we hold their keys, you do not. We use a job’s wallet for that job
          only.
        </p>
        <p>
          Transactions on the network are irreversible. Neither we nor anybody else can undo a payment, an order, a fee
          or a return once it is in a block. A payment to a wrong address, on a wrong network or of a wrong asset may be
          lost for good.
        </p>
      </>
    ),
  },
];
