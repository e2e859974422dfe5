// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

/// The first version of something behind a proxy.
contract Box {
    uint256 internal _value;
    bool internal _initialized;

    function initialize(uint256 value) external {
        require(!_initialized, "initialized");
        _initialized = true;
        _value = value;
    }

    function value() external view returns (uint256) {
        return _value;
    }

    function version() external pure virtual returns (uint256) {
        return 1;
    }
}

/// The version that follows it.
contract BoxNext is Box {
    function version() external pure override returns (uint256) {
        return 2;
    }

    function raise() external {
        _value += 1;
    }
}
