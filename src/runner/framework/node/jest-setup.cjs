// In the context of a test file: records what each test reaches.
'use strict';
const fs = require('fs');
const state = process.env.WILDCAUGHT_STATE;
const [, flags] = fs.readFileSync(state, 'utf8').split('\n');
if (flags === 'r') {
  const take = () => [...(globalThis.wildcaught?.take?.() ?? [])];
  const { testPath } = expect.getState();
  const write = (name, units) =>
    units.length > 0 && fs.appendFileSync(`${state}.reach`, JSON.stringify([testPath, name, units]) + '\n');
  beforeEach(() => write(null, take()));
  afterEach(() => write(expect.getState().currentTestName ?? null, take()));
  afterAll(() => write(null, take()));
}
