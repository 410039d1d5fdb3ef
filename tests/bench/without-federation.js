// JavaScript, because the type check of the tests knows no JSX.
const PARTS = {
  token: () => import('../../apps/token/src/step.tsx'),
  amount: () => import('../../apps/amount/src/step.tsx'),
  payment: () => import('../../apps/payment/src/step.tsx'),
  terms: () => import('../../apps/terms/src/page.tsx'),
};

/** Replaces the shell's `federation-host.ts` in a build without federation: remotes are chunks. */
export function loadFromRemote(name) {
  return PARTS[name]();
}
