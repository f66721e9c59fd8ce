// SPDX-License-Identifier: MIT
pragma solidity >=0.8.0 <0.9.0;

import {ERC20 as Token} from "@openzeppelin/contracts/token/ERC20.sol";
import * as Math from './Math.sol';

/// @title It's an auction
/** @dev Doc comment with `code`. */
error TooLow(uint256 sent, uint256 needed);
type Price is uint128;
using {add as +} for Price global;

interface IAuction { function bid() external payable returns (bool); }

abstract contract Auction is IAuction, Token {
    enum State { Open, Closed }
    struct Bid { address payable bidder; uint256 amount; mapping(bytes32 => uint8[]) notes; }

    event Bidden(address indexed who, uint256 amount) anonymous;
    bytes constant DATA = hex"00_ff" hex'abcd';
    string constant NAME = "say \"hi\" \n" 'it\'s' unicode"Grüße 😃";
    uint256 public immutable start = 1_000e18 + 0.5 ether - 2 gwei + 0xFF_FF + .5e2 * 1 days;
    mapping(address user => mapping(uint256 => Bid)) private $bids;
    State internal state = State.Open;

    modifier onlyOpen() virtual {
        require(state == State.Open && msg.value >= 1 wei, "closed");
        _;
    }

    constructor(string memory name_) Token(name_, "T") { state = State.Open; }

    function bid() external payable override onlyOpen returns (bool) {
        uint256 amount = msg.value > 0 ? msg.value : 0;
        amount += 1; amount -= 1; amount *= 2; amount /= 2; amount %= 3; amount |= 1; amount &= 3; amount ^= ~amount;
        amount <<= 1; amount >>= 1; amount++; --amount;
        unchecked { amount = amount ** 2 << 1 >> 1; }
        (bool ok, ) = msg.sender.call{value: amount, gas: 5000}("");
        if (!ok || amount != 0 && amount <= 10) revert TooLow({sent: amount, needed: 1});
        try this.bid() returns (bool b) { emit Bidden(msg.sender, amount); } catch Error(string memory r) { delete $bids[msg.sender][0]; }
        for (uint256 i = 0; i < 10; i++) { if (i % 2 == 0) continue; else break; }
        assembly ("memory-safe") {
            let x := mload(0x40)
            switch x case 0 { mstore(x, "it's") } default { revert(0, 0) }
        }
        /* a block comment: // and " */
        return type(uint256).max / 2 >= amount;
    }

    receive() external payable {}
    fallback(bytes calldata data) external returns (bytes memory) { do { } while (false); return data[1:]; }
}
