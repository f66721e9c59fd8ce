'use strict';

const limit = 3 + 1;

class Base {
  constructor(name) {
    this.name = name || 'nobody';
  }
}

class Account extends Base {
  constructor(name, start = 0) {
    super(name);
    this.balance = start;
  }

  pay(amount) {
    if (amount < 0 || amount > this.balance + limit) return false;
    this.balance -= amount;
    return true;
  }
}

function name(n) {
  switch (true) {
    case n < 0:
      return 'debt';
    case n === 0:
      return `none of ${limit}`;
    default:
      return 'many';
  }
}

const total = (numbers, change = (n) => n) => {
  let sum = 0;
  for (const number of numbers) {
    sum += change(number);
  }
  return sum;
};

module.exports = { Account, name, total };
