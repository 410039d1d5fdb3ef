/**
 * Creation code that reads balances and returns them as if they were a contract's code, so that nothing has to be
 * deployed and no node needs state overrides. The addresses, 20 bytes each, are appended to it.
 *
 * Returned: the number (8 bytes) and the timestamp in seconds (8 bytes) of the block whose state was read, which no
 * answer to `eth_getBalance` tells; then for every balance above zero the offset of its address in this code (4 bytes)
 * and the balance (16 bytes). An address without money costs gas, about 2,830, but no byte.
 *
 * Bounds: creation code may be 49,152 bytes long (EIP-3860), what it returns 24,576 (EIP-170). The first byte
 * returned is that of a block number, so never the 0xEF that EIP-3541 forbids.
 */
const PROGRAM: readonly (readonly [code: string, effect: string])[] = [
  ['43 60c0 1b 5f 52', 'mem[0..8] = NUMBER'],
  ['42 60c0 1b 6008 52', 'mem[8..16] = TIMESTAMP'],
  ['6010', 'out = 16'],
  ['6049', 'at = length of this program'],
  ['5b', '17: loop                                  [out at]'],
  ['80 38 11 15 6045 57', 'CODESIZE > at, else go to 69'],
  ['6020 81 83 39', 'mem[out..] = code[at..at+32]'],
  ['81 51 6060 1c 31', 'BALANCE of its first 20 bytes            [out at balance]'],
  ['80 15 603d 57', 'if zero go to 61'],
  ['81 60e0 1b 83 52', 'mem[out..out+4] = at'],
  ['80 6080 1b 83 6004 01 52', 'mem[out+4..out+20] = balance'],
  ['91 6014 01 91', 'out += 20'],
  ['5b 50', '61: drop the balance                      [out at]'],
  ['6014 01', 'at += 20'],
  ['6011 56', 'go to 17'],
  ['5b 50 5f f3', '69: return mem[0..out]'],
];

/** The program as hexadecimal digits without 0x; append the addresses. */
export const BALANCE_PROGRAM = PROGRAM.map(([code]) => code.replaceAll(' ', '')).join('');

/** Length of the program in bytes: the offset of the first address. */
export const BALANCE_PROGRAM_BYTES = BALANCE_PROGRAM.length / 2;

/** Most addresses that fit into one call by EIP-3860; the node's gas limit may allow fewer. */
export const MOST_ADDRESSES_PER_CALL = Math.floor((49_152 - BALANCE_PROGRAM_BYTES) / 20);
