// Shared modules are available only after the federation runtime has loaded.
void import('./host.ts');
