// What is shared can be asked for only once the federation runtime has it.
void import('./host.ts');
