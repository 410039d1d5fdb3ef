/**
 * Creation code that tells which addresses the chain knows, in the manner of `balance-program.ts`: `EXTCODEHASH` is zero
 * for an account without nonce, balance and code (EIP-1052), and for no other. The addresses, 20 bytes each, are
 * appended to it.
 *
 * Returned: the number (8 bytes) of the block whose state was read; then for every address that was used its offset in
 * this code (4 bytes).
 */
const PROGRAM: readonly (readonly [code: string, effect: string])[] = [
  ['43 60c0 1b 5f 52', 'mem[0..8] = NUMBER'],
  ['6008', 'out = 8'],
  ['6037', 'at = length of this program'],
  ['5b', '10: loop                                  [out at]'],
  ['80 38 11 15 6033 57', 'CODESIZE > at, else go to 51'],
  ['6014 81 83 39', 'mem[out..] = code[at..at+20]'],
  ['81 51 6060 1c 3f', 'EXTCODEHASH of these 20 bytes            [out at hash]'],
  ['15 602c 57', 'if zero go to 44'],
  ['80 60e0 1b 82 52', 'mem[out..out+4] = at'],
  ['90 6004 01 90', 'out += 4'],
  ['5b', '44: next                                  [out at]'],
  ['6014 01', 'at += 20'],
  ['600a 56', 'go to 10'],
  ['5b 50 5f f3', '51: return mem[0..out]'],
];

/** The program as hexadecimal digits without 0x; append the addresses. */
export const USED_ADDRESSES_PROGRAM = PROGRAM.map(([code]) => code.replaceAll(' ', '')).join('');

/** Length of the program in bytes: the offset of the first address. */
export const USED_ADDRESSES_PROGRAM_BYTES = USED_ADDRESSES_PROGRAM.length / 2;
