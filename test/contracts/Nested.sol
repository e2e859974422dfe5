// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

/// Gives what it has to somebody.
contract Ending {
    constructor(address payable heir) payable {
        if (heir != address(0)) selfdestruct(heir);
    }

    function end(address payable heir) external {
        selfdestruct(heir);
    }

    receive() external payable {}
}

/// What another contract runs in its own name.
contract Borrowed {
    uint256 public number;

    event Written(uint256 number);

    function write(uint256 given) external payable returns (uint256) {
        number = given;
        emit Written(given);
        return number + 1;
    }

    function fail() external payable {
        number = 7;
        emit Written(7);
        revert("borrowed in vain");
    }
}

/// Calls in every way, and fails at every depth.
contract Nested {
    uint256 public number;
    Borrowed public immutable borrowed = new Borrowed();

    event Reached(uint256 depth);

    error TooDeep(uint256 depth);

    receive() external payable {}

    function dive(uint256 depth, uint256 failAt) external returns (uint256) {
        emit Reached(depth);
        if (depth == failAt) revert TooDeep(depth);
        if (depth == 0) return 1;
        try this.dive(depth - 1, failAt) returns (uint256 found) {
            number += found;
            return found + 1;
        } catch {
            return 0;
        }
    }

    function borrow(uint256 given) external payable returns (bytes memory) {
        (, bytes memory output) = address(borrowed).delegatecall(abi.encodeCall(Borrowed.write, (given)));
        (bool isDone, ) = address(borrowed).delegatecall(abi.encodeCall(Borrowed.fail, ()));
        require(!isDone);
        return output;
    }

    function borrowCode(uint256 given) external payable returns (uint256 result) {
        address target = address(borrowed);
        bytes memory input = abi.encodeCall(Borrowed.write, (given));
        assembly {
            result := callcode(gas(), target, callvalue(), add(input, 32), mload(input), 0, 32)
        }
    }

    function look() external view returns (uint256) {
        return borrowed.number() + this.number();
    }

    /// A write in a static call, an invalid instruction, a bad jump, and too little gas.
    function stumble() external returns (uint256 failures) {
        address own = address(this);
        bytes memory input = abi.encodeCall(Nested.dive, (1, 5));
        assembly {
            failures := iszero(staticcall(50000, own, add(input, 32), mload(input), 0, 0))
        }
        (bool isDone, ) = own.call{gas: 30000}(abi.encodeCall(Nested.waste, ()));
        if (!isDone) failures += 1;
        (isDone, ) = own.call{gas: 30000}(abi.encodeCall(Nested.halt, ()));
        if (!isDone) failures += 1;
    }

    function waste() external {
        while (true) number += 1;
    }

    function halt() external pure {
        assembly {
            invalid()
        }
    }

    /// More than it has, to somebody without code, and to somebody with code.
    function pay(address payable to, uint256 amount) external payable returns (bool isPaid, bool isTooMuch) {
        (isPaid, ) = to.call{value: amount}("");
        (isTooMuch, ) = to.call{value: address(this).balance + 1}("");
    }

    function precompiles(bytes calldata data) external returns (bytes32 digest, address signer, bytes memory copy) {
        digest = sha256(data);
        signer = ecrecover(digest, 27, digest, digest);
        copy = new bytes(data.length);
        bytes memory source = data;
        assembly {
            pop(call(gas(), 4, 0, add(source, 32), mload(source), add(copy, 32), mload(copy)))
            pop(staticcall(100, 2, add(source, 32), mload(source), 0, 32))
        }
    }

    function endings(address payable heir) external payable {
        Ending stays = new Ending{value: msg.value / 2}(payable(address(0)));
        stays.end(heir);
        new Ending{value: msg.value / 4}(heir);
        try new Ending{salt: bytes32(uint256(1))}(payable(address(0))) {} catch {}
        try new Ending{salt: bytes32(uint256(1))}(payable(address(0))) {} catch {}
    }

    /// Init code that reverts, that is too large, and that leaves code which must not begin so.
    function badCreations() external returns (uint256 failures) {
        assembly {
            mstore(0, 0x60006000fd000000000000000000000000000000000000000000000000000000)
            if iszero(create(0, 0, 5)) {
                failures := add(failures, 1)
            }
            mstore(0, 0x62ffffff6000f300000000000000000000000000000000000000000000000000)
            if iszero(create(0, 0, 7)) {
                failures := add(failures, 1)
            }
            mstore(0, 0x60ef60005360016000f300000000000000000000000000000000000000000000)
            if iszero(create(0, 0, 10)) {
                failures := add(failures, 1)
            }
            mstore(0, 0x5b56000000000000000000000000000000000000000000000000000000000000)
            if iszero(create(0, 0, 2)) {
                failures := add(failures, 1)
            }
        }
    }

    function store(uint256 slot, uint256 value) external {
        assembly {
            sstore(slot, value)
            sstore(add(slot, 1), sload(slot))
            sstore(slot, 0)
        }
    }
}
