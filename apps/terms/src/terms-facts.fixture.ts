/** Facts that the text must contain, by name. Source: specification § 9. */
export const TERMS_FACTS = [
  ['updated', [/Last updated 26 July 2025/]],
  ['fee', [/service fee is 30% of the deposit/i, /taken immediately/, /non-refundable/]],
  ['notice', [/We post changes, including changes of the fee, on this page at least 7 days before they take effect/]],
  [
    'gas',
    [/base fee plus the priority fee on the network is above 10 gwei, and resumes when they are at or below 10 gwei/],
  ],
  ['age', [/at least 18 years old/]],
  [
    'jurisdictions',
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
  ['liability', [/capped at the service fees that it received in the 6 months/]],
  ['disputes', [/binding online arbitration before a single arbitrator/, /class-action waiver/i]],
  ['wallets', [/Job wallets are controlled by the provider/, /Transactions on the network are irreversible/]],
] as const;
