// Hands what jest reports to our server, which is in the same process.
'use strict';
const told = globalThis.wildcaughtJest;
const { relative } = require('path');
const name = (test, { ancestorTitles, title }) => [relative(process.cwd(), test.path), ...ancestorTitles, title].join(' > ');

module.exports = class {
  onTestFileStart() {
    told.run?.loading();
  }
  onTestCaseStart(test, info) {
    if (info.ancestorTitles) told.run?.begin(name(test, info));
  }
  onTestCaseResult() {
    told.run?.loading();
  }
  onTestResult(_test, result) {
    told.results.push(result);
    told.run?.loading();
  }
  getLastError() {}
};
