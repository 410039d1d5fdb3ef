import { type Abi, type Hex, toFunctionSelector, toFunctionSignature } from 'viem';

/**
 * Functions of an interface that a contract does not have. Read from its code: the dispatcher that a compiler writes compares
 * with each selector by a PUSH4. A call could not tell as surely, since what a swap reverts with is each fork's own. A proxy has
 * none of them, and is not taken for what it stands for: its owner could make it another contract at any time.
 * @param abi only its functions are looked for @returns signatures, such as `WETH()`
 */
export function missingFunctions(code: Hex, abi: Abi): readonly string[] {
  const text = code.toLowerCase();
  return abi.flatMap((item) =>
    item.type !== 'function' || text.includes(`63${toFunctionSelector(item).slice(2)}`)
      ? []
      : toFunctionSignature(item),
  );
}
