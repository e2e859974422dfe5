// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {ERC4626} from "@openzeppelin/contracts/token/ERC20/extensions/ERC4626.sol";
import {ERC721} from "@openzeppelin/contracts/token/ERC721/ERC721.sol";
import {ERC1155} from "@openzeppelin/contracts/token/ERC1155/ERC1155.sol";

contract Art is ERC721("Art", "ART") {
    function mint(address to, uint256 id) external {
        _mint(to, id);
    }
}

contract Items is ERC1155("") {
    function mint(address to, uint256[] memory ids, uint256[] memory amounts) external {
        _mintBatch(to, ids, amounts, "");
    }
}

contract Vault is ERC4626 {
    constructor(ERC20 token) ERC4626(token) ERC20("Vault", "vTKN") {}
}

/// Answers as a token, with any texts and any number of decimals.
contract Stranger {
    uint256 public immutable decimals;
    uint256 public immutable totalSupply;
    bytes32 public constant name = "Maker";
    string public symbol;

    constructor(uint256 decimals_, string memory symbol_) {
        decimals = decimals_;
        symbol = symbol_;
    }

    /// States a balance that no event has.
    function balanceOf(address) external pure returns (uint256) {
        return 7;
    }
}

/// Spends all gas that it gets, and states transfers.
contract Greedy {
    event Transfer(address indexed from, address indexed to, uint256 amount);

    function claim(address to) external {
        emit Transfer(address(0), to, 1 ether);
    }

    fallback() external {
        while (true) {}
    }
}

/// Counts its calls, and answers each with the same number.
contract Yes {
    uint256 public calls;

    fallback() external {
        calls += 1;
        assembly {
            mstore(0, 1)
            return(0, 32)
        }
    }
}

/// A diamond of facets, or a Safe of a master copy, in slot 0.
contract Shapes {
    address public masterCopy;
    address[] private facets;

    constructor(address copy, address[] memory facets_) {
        masterCopy = copy;
        facets = facets_;
    }

    function facetAddresses() external view returns (address[] memory) {
        return facets;
    }
}
