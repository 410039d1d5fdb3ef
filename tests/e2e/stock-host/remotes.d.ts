declare module 'terms/page' {
  const TermsPage: import('react').ComponentType<Record<string, unknown>>;
  export default TermsPage;
}

declare module 'token/step' {
  const TokenStep: import('react').ComponentType<Record<string, unknown>>;
  export default TokenStep;
}
