'use strict';

const test = require('node:test');
const assert = require('node:assert');
const { Account, name, total } = require('../tiny.js');

test('accounts pay', () => {
  const account = new Account('Ann', 2);
  assert.strictEqual(account.name, 'Ann');
  assert.strictEqual(account.pay(6), true);
  assert.strictEqual(account.pay(1), false);
  assert.strictEqual(account.balance, -4);
});

test('numbers have names', () => {
  assert.strictEqual(name(-1), 'debt');
  assert.strictEqual(name(0), 'none of 4');
});

test('numbers are added', () => {
  assert.strictEqual(total([1, 2]), 3);
  assert.strictEqual(total([1, 2], (n) => n * 2), 6);
});

test('what is skipped does not count', { skip: true }, () => {
  assert.strictEqual(name(0), '');
});
