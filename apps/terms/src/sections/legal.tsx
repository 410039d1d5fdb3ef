import type { TermsSection } from '../section.ts';
import * as styles from './legal.module.css';

/** Source: specification § 9 'Terms of Service'. */
const PROHIBITED_JURISDICTIONS = [
  'the United States and its territories',
  'Canada',
  'Cuba',
  'Iran',
  'Syria',
  'North Korea',
  'Belarus',
  'Russia',
  'Crimea, Donetsk and Luhansk',
  'Sudan and South Sudan',
  'Venezuela',
  'Myanmar',
  'Afghanistan',
  'any other region under comprehensive sanctions',
];

/** Eligibility, liability and disputes. Source: specification § 9. */
export const legalSections: readonly TermsSection[] = [
  {
    id: 'eligibility',
    title: 'Who may use the service',
    body: (
      <>
        <p>You must be at least 18 years old.</p>
        <p>You may not use the service if you are in, live in or act for someone in one of these jurisdictions:</p>
        <ul className={styles.columns}>
          {PROHIBITED_JURISDICTIONS.map((jurisdiction) => (
            <li key={jurisdiction}>{jurisdiction}</li>
          ))}
        </ul>
        <p>
          By creating a job you declare that none of this applies to you and that the money you send is lawfully yours.
        </p>
      </>
    ),
  },
  {
    id: 'conduct',
    title: 'Your part',
    body: (
      <ul>
        <li>Check the token address, the amount, the network and the payment address before you pay.</li>
        <li>
          Do not use the service to mislead others: do not present its orders as the demand of many independent buyers.
        </li>
        <li>Follow the laws that apply to you and to the token, and pay your own taxes.</li>
        <li>Do not attack, overload or work around the service.</li>
      </ul>
    ),
  },
  {
    id: 'token-check',
    title: 'A token check is not an endorsement',
    body: (
      <p>
        Before a job we read the liquidity of the token and simulate a purchase and a sale. A token that passes was
        tradable at that moment. It may still lose its liquidity, change its rules or turn out to be a fraud. You must
        judge that yourself.
      </p>
    ),
  },
  {
    id: 'liability',
    title: 'Warranty and liability',
    body: (
      <>
        <p>
          The service is provided as it is. Networks, exchanges and contracts of others may fail, and we are not
          responsible for them.
        </p>
        <p>
          <strong>
            The provider’s total liability is capped at the service fees that it received in the 6 months before the
            event.
          </strong>{' '}
          We are not liable for lost profit, for the value of tokens or for indirect damage. Where the law does not
          allow such a limit, it applies as far as the law allows.
        </p>
      </>
    ),
  },
  {
    id: 'disputes',
    title: 'Disputes',
    body: (
      <>
        <p>
          Disputes are decided by binding online arbitration before a single arbitrator. Please contact support first.
          The receipt answers most questions.
        </p>
        <p>
          <strong>Class-action waiver.</strong> You bring claims only in your own name, and not as a plaintiff or member
          of a class, collective or representative action.
        </p>
      </>
    ),
  },
  {
    id: 'changes',
    title: 'Changes to these terms',
    body: (
      <p>
        We post changes, including changes of the fee, on this page at least 7 days before they take effect. A job runs
        to its end under the terms that applied when it was created.
      </p>
    ),
  },
  {
    id: 'privacy',
    title: 'What is stored',
    body: (
      <p>
        A job stores the token, the amount, the addresses involved and its transactions, which are public on the chain
        anyway. While it is unpaid, it also stores your network address. Your browser keeps a list of your recent jobs
        on your own device, so that you can find them again. Clearing the site’s data removes the list.
      </p>
    ),
  },
];
