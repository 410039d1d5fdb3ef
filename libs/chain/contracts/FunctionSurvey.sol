// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

/// Finds which functions contracts have: many contracts in one request, without their code on the wire. It is never deployed: its
/// creation code is the data of an `eth_call` without a recipient. The constructor returns the answer in place of code.
contract FunctionSurvey {
    struct Wanted {
        address target;
        /// At most 255.
        bytes4[] selectors;
    }

    /// Returns one word for each address: 0 without code; else bit 0, and bit index + 1 of each selector that the code pushes.
    constructor(Wanted[] memory wanted) {
        uint256[] memory found = new uint256[](wanted.length);
        for (uint256 index = 0; index < wanted.length; index++) {
            found[index] = _survey(wanted[index].target, wanted[index].selectors);
        }
        bytes memory answer = abi.encode(found);
        assembly ("memory-safe") {
            return(add(answer, 32), mload(answer))
        }
    }

    /// A dispatcher compares with each selector by a PUSH4, which is the byte 0x63. The loop skips words without that byte.
    function _survey(address target, bytes4[] memory selectors) private view returns (uint256 found) {
        assembly ("memory-safe") {
            let size := extcodesize(target)
            let code := mload(0x40)
            extcodecopy(target, code, 0, size)
            found := gt(size, 0)
            let ones := div(not(0), 0xff)
            let last := add(code, size)
            for { let word := code } lt(word, last) { word := add(word, 32) } {
                let difference := xor(mload(word), mul(0x63, ones))
                // Some byte of the difference is zero.
                if and(and(sub(difference, ones), not(difference)), mul(0x80, ones)) {
                    for { let place := 0 } lt(place, 32) { place := add(place, 1) } {
                        let push := add(word, place)
                        if and(iszero(byte(place, difference)), iszero(gt(add(push, 5), last))) {
                            let pushed := shr(224, mload(add(push, 1)))
                            for { let index := mload(selectors) } index { index := sub(index, 1) } {
                                if eq(pushed, shr(224, mload(add(selectors, mul(index, 32))))) { found := or(found, shl(index, 1)) }
                            }
                        }
                    }
                }
            }
        }
    }
}
