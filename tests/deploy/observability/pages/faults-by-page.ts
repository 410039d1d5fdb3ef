/** Alerts that page for a fault of this folder, each with the names of its faults. */
export const FAULTS_BY_PAGE = {
  MakerChainStalled: ['no RPC endpoint is reached', 'the chain stands still'],
  MakerPaymentsUnseen: ['MongoDB is not reached', 'payment-watcher is not there'],
  MakerNewJobsRefused: ['NATS is not reached', 'job is not there', 'token-validation is not there'],
  MakerPaidJobNotExecuted: ['maker-executor is not there'],
  MakerSiteDown: ['api-gateway is not there', 'the site is not there'],
} as const;
