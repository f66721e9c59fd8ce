// jest in this process, in band: it makes a new context with new modules for every test file itself.
'use strict';
const fs = require('fs');
const Module = require('module');
const path = require('path');

module.exports = async function (args, tools) {
  const { root, directory, Names } = tools;
  const from = (base, name) => Module.createRequire(base)(name);
  const here = path.join(root, 'package.json');
  const jest = Module.createRequire(here).resolve('jest/package.json');
  const core = from(jest, '@jest/core');
  const cli = from(jest, 'jest-cli/package.json') && Module.createRequire(jest).resolve('jest-cli/package.json');
  const config = from(cli, 'jest-config');
  const state = path.join(directory, 'wildcaught-state');
  process.env.WILDCAUGHT_STATE = state;
  process.env.NODE_ENV ??= 'test';
  fs.writeFileSync(state, '');
  const usual = argv(cli, args);
  const setup = path.join(directory, 'jest-setup.cjs');
  const told = (globalThis.wildcaughtJest = { run: null, results: [] });

  // What is added to a setting that lists files must keep what the project lists.
  const { setups, transforms } = await project(config, usual, root);

  async function execute(extra) {
    told.results = [];
    const options = {
      ...usual, runInBand: true, watchman: false, coverage: false, collectCoverage: false, ci: true, silent: true,
      watch: false, watchAll: false, notify: false, passWithNoTests: true, verbose: false, json: false, bail: 0,
      onlyChanged: false, lastCommit: false, cacheDirectory: path.join(directory, 'jest-cache'),
      reporters: [path.join(directory, 'jest-reporter.cjs')], setupFilesAfterEnv: [...setups, setup],
      randomize: false, detectOpenHandles: false, workerThreads: false, testTimeout: usual.testTimeout, ...extra,
    };
    if (transforms) options.transform = JSON.stringify(transforms);
    for (const key of Object.keys(options)) if (options[key] === undefined) delete options[key];
    await core.runCLI(options, usual.projects ?? [root]);
    return told.results;
  }

  // Gives every test of every file that ran: its name, result and message.
  function* each(results) {
    for (const { testFilePath, testResults, failureMessage, testExecError } of results) {
      const names = new Names();
      for (const one of testResults) {
        yield { name: names.name(testFilePath, [...one.ancestorTitles, one.title]), one };
      }
      if (testResults.length === 0 && (failureMessage || testExecError)) {
        yield { broken: path.relative(root, testFilePath), message: failureMessage ?? String(testExecError) };
      }
    }
  }

  return {
    spoiled: false,
    async list() {
      const names = [];
      const problems = [];
      for (const { name, one, broken, message } of each(await execute({}))) {
        if (broken !== undefined) problems.push(`${broken}: ${message}`);
        else if (one.status === 'passed' || one.status === 'failed') names.push(name);
      }
      return { names, problems };
    },
    async run(run) {
      const files = [...run.byFile()];
      // To start a run costs more than most files do: one file first, then all others until one fails.
      const groups = run.firstKill && files.length > 1 ? [files.slice(0, 1), files.slice(1)] : [files];
      for (const group of groups) {
        run.loading();
        fs.writeFileSync(state, `${run.on}\n${run.reach ? 'r' : '-'}\n`);
        fs.writeFileSync(`${state}.reach`, '');
        told.run = run;
        // `fullName` has blanks between titles; what else has this name runs, too, and is not asked.
        const chosen = group.flatMap(([, names]) => [...names]);
        const escaped = chosen.map((name) => name.split(' > ').slice(1).join(' ').replace(/ #\d+$/, ''))
          .map((name) => name.replace(/[.*+?^${}()|[\]\\\/]/g, '\\$&'));
        const all = run.names.length > 400 && !run.firstKill;
        const results = await execute({
          _: group.map(([file]) => path.join(root, file)), runTestsByPath: true, bail: run.firstKill ? 1 : 0,
          testNamePattern: all ? undefined : `^(${[...new Set(escaped)].join('|')})$`,
        });
        const reach = run.reach ? reached(`${state}.reach`, root) : new Map();
        for (const { name, one, broken, message } of each(results)) {
          if (broken !== undefined) {
            for (const [file, names] of group) if (file === broken) for (const each of names) run.said(each, false, 0, message);
            continue;
          }
          if (!run.left.has(name)) continue;
          if (run.reach) {
            const file = reach.get(name.split(' > ', 1)[0]) ?? { shared: [], tests: new Map() };
            run.reached(name, new Set([...file.shared, ...(file.tests.get(one.fullName) ?? [])]));
          }
          if (one.status === 'passed' || one.status === 'failed') {
            run.said(name, one.status === 'passed', one.duration ?? 0, (one.failureMessages ?? []).join('\n'));
          } else {
            run.skipped(name);
          }
        }
        if (run.over) break;
      }
      told.run = null;
    },
  };
};

// What tests of each file reached, and what they share.
function reached(file, root) {
  const found = new Map();
  for (const line of fs.readFileSync(file, 'utf8').split('\n').filter(Boolean)) {
    const [test, name, units] = JSON.parse(line);
    const key = path.relative(root, test);
    if (!found.has(key)) found.set(key, { shared: [], tests: new Map() });
    const known = found.get(key);
    if (name === null) known.shared.push(...units);
    else known.tests.set(name, [...(known.tests.get(name) ?? []), ...units]);
  }
  return found;
}

function argv(cli, args) {
  const module = (name) => {
    try {
      return Module.createRequire(cli)(name);
    } catch {
      return null;
    }
  };
  const build = module(path.dirname(cli))?.buildArgv ?? module(path.join(path.dirname(cli), 'build/run.js'))?.buildArgv;
  return build ? build(args) : { $0: 'jest', _: [] };
}

async function project(config, argv, root) {
  try {
    const { configs } = await config.readConfigs(argv, argv.projects ?? [root]);
    const setups = [...new Set(configs.flatMap((one) => one.setupFilesAfterEnv ?? []))];
    // Types are not checked: a meta-program has none for its guards.
    const all = configs.flatMap((one) => one.transform ?? []);
    const checks = all.some(([, file]) => file.includes('ts-jest'));
    const relaxed = ([pattern, file, options]) =>
      [pattern, file.includes('ts-jest') ? [file, { ...options, diagnostics: false }] : [file, options ?? {}]];
    return { setups, transforms: checks && configs.length === 1 ? Object.fromEntries(all.map(relaxed)) : null };
  } catch {
    return { setups: [], transforms: null };
  }
}
