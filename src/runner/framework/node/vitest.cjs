// vitest with one worker that stays; the project's modules are loaded anew for every test file.
'use strict';
const fs = require('fs');
const Module = require('module');
const path = require('path');
const { pathToFileURL } = require('url');

module.exports = async function (args, tools) {
  const { root, directory, Names } = tools;
  const here = path.join(root, 'package.json');
  const home = path.dirname(Module.createRequire(here).resolve('vitest/package.json'));
  const { exports } = JSON.parse(fs.readFileSync(path.join(home, 'package.json'), 'utf8'));
  const entry = (name) => {
    let found = exports[name];
    while (found && typeof found !== 'string') found = found.import ?? found.default ?? found.node;
    return pathToFileURL(path.join(home, found)).href;
  };
  const node = await import(entry('./node'));
  const state = path.join(directory, 'wildcaught-state');
  process.env.WILDCAUGHT_STATE = state;
  process.env.NODE_ENV ??= 'test';
  process.env.VITEST ??= 'true';
  fs.writeFileSync(state, '');
  const setup = path.join(directory, 'vitest-setup.mjs');
  // The module is that of the project, from wherever this file is.
  fs.writeFileSync(setup, SETUP);
  let current = null;
  let vitest = null;
  const reporter = new Proxy({}, {
    get(_, name) {
      if (typeof name !== 'string' || !name.startsWith('on')) return undefined;
      return () => {
        current?.loading();
      };
    },
  });

  async function start(isolate) {
    await vitest?.close();
    const { filter = [], options = {} } = node.parseCLI ? node.parseCLI(['vitest', 'run', ...args], { allowUnknownOptions: true }) : {};
    const single = { isolate, singleThread: true, singleFork: true };
    vitest = await node.createVitest('test', {
      ...options, ...(isolate ? {} : { pool: 'threads' }), watch: false, run: true, ...(isolate ? {} : { isolate }), fileParallelism: false, maxWorkers: 1, minWorkers: 1, cache: false,
      poolOptions: { threads: single, forks: single, vmThreads: { singleThread: true } },
      coverage: { enabled: false }, typecheck: { enabled: false }, reporters: [reporter], onConsoleLog: () => false,
      passWithNoTests: true, open: false, ui: false, api: false, sequence: { ...options.sequence, shuffle: false },
      dangerouslyIgnoreUnhandledErrors: true, silent: true,
    }, { cacheDir: path.join(directory, 'vite-cache') });
    for (const project of vitest.projects ?? [vitest.getCoreWorkspaceProject?.() ?? vitest]) {
      project.config.setupFiles = [setup, ...(project.config.setupFiles ?? [])];
      if (!isolate) project.config.isolate = false;
    }
    vitest.logger.log = vitest.logger.error = () => {};
    const all = await (vitest.globTestSpecifications ?? vitest.globTestSpecs ?? vitest.globTestFiles).call(vitest, filter);
    // Benchmarks and types are no tests.
    return new Map(all.filter((spec) => spec.pool !== 'typescript').map((spec) => [path.relative(root, spec.moduleId ?? spec[1]), spec]));
  }
  let specs = await start(false);

  async function execute(chosen, pattern) {
    if (vitest.state.filesMap) vitest.state.filesMap.clear();
    vitest.state.errorsSet?.clear();
    if (vitest.setGlobalTestNamePattern && pattern) vitest.setGlobalTestNamePattern(pattern);
    else if (vitest.resetGlobalTestNamePattern && !pattern) vitest.resetGlobalTestNamePattern();
    else if (vitest.configOverride) vitest.configOverride.testNamePattern = pattern ?? undefined;
    await (vitest.runTestSpecifications ?? vitest.rerunTestSpecifications ?? vitest.runFiles).call(vitest, chosen, true);
    return vitest.state.getFiles();
  }

  // Gives every test of every file that ran.
  function* each(files) {
    for (const file of files) {
      const names = new Names();
      const found = [];
      const walk = (tasks, titles) => {
        for (const task of tasks) {
          if (task.type === 'suite') walk(task.tasks, [...titles, task.name]);
          else found.push({ name: names.name(file.filepath, [...titles, task.name]), task });
        }
      };
      walk(file.tasks, []);
      yield { file: path.relative(root, file.filepath), found, error: file.result?.state === 'fail' ? message(file) : null };
    }
  }

  return {
    spoiled: false,
    async list() {
      const gather = async () => {
        const names = [];
        const problems = [];
        let failed = 0;
        for (const { file, found, error } of each(await execute([...specs.values()], null))) {
          if (found.length === 0 && error !== null) problems.push(`${file}: ${error}`);
          for (const { name, task } of found) {
            if (task.result?.state === 'pass' || task.result?.state === 'fail') names.push(name);
            if (task.result?.state === 'fail') failed++;
          }
        }
        return { names, problems, bad: failed + problems.length };
      };
      const shared = await gather();
      if (shared.bad === 0) return shared;
      // Some tests need a worker of their own for each file.
      specs = await start(true);
      const alone = await gather();
      if (alone.bad < shared.bad) {
        fs.writeFileSync(path.join(directory, 'wildcaught-isolate'), '');
        return alone;
      }
      specs = await start(false);
      return shared;
    },
    async run(run) {
      if (this.isolated === undefined) {
        this.isolated = fs.existsSync(path.join(directory, 'wildcaught-isolate'));
        if (this.isolated) specs = await start(true);
      }
      const files = [...run.byFile()];
      // To start a run costs more than most files do: one file first, then all others until one fails.
      const groups = run.firstKill && files.length > 1 ? [files.slice(0, 1), files.slice(1)] : [files];
      for (const project of vitest.projects ?? []) project.config.bail = run.firstKill ? 1 : 0;
      vitest.config.bail = run.firstKill ? 1 : 0;
      for (const group of groups) {
        current = run;
        run.loading();
        fs.writeFileSync(state, `${run.on}\n${run.reach ? 'r' : '-'}\n`);
        fs.writeFileSync(`${state}.reach`, '');
        const chosen = group.flatMap(([, names]) => [...names]).map((name) => name.split(' > ').slice(1).join(' ').replace(/ #\d+$/, ''));
        const escaped = [...new Set(chosen)].map((name) => name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
        const pattern = run.firstKill ? new RegExp(`(^|\\s)(${escaped.join('|')})$`) : null;
        const wanted = group.map(([file]) => specs.get(file)).filter(Boolean);
        const ran = await execute(wanted, pattern);
        const reach = run.reach ? reached(`${state}.reach`, root) : new Map();
        for (const { file, found, error } of each(ran)) {
          for (const { name, task } of found) {
            if (!run.left.has(name)) continue;
            const known = reach.get(file);
            if (run.reach) run.reached(name, new Set([...(known?.shared ?? []), ...(known?.tests.get(name) ?? [])]));
            const { state: verdict, duration } = task.result ?? {};
            if (verdict === 'pass' || verdict === 'fail') run.said(name, verdict === 'pass', duration, message(task));
            else if (error === null) run.skipped(name);
          }
          // A file that does not load, or whose hooks fail.
          if (error !== null) for (const [other, names] of group) if (other === file) for (const name of names) run.said(name, false, 0, error);
        }
        if (run.over) break;
      }
      current = null;
    },
  };
};

const message = (task) => {
  const errors = task.result?.errors ?? (task.result?.error ? [task.result.error] : []);
  const own = errors.map((error) => error.stack ?? error.message ?? String(error)).join('\n');
  return own || (task.tasks ?? []).map(message).filter(Boolean)[0] || '';
};

function reached(file, root) {
  const found = new Map();
  for (const line of fs.readFileSync(file, 'utf8').split('\n').filter(Boolean)) {
    const [test, titles, units] = JSON.parse(line);
    const key = path.relative(root, test);
    if (!found.has(key)) found.set(key, { shared: [], tests: new Map() });
    const known = found.get(key);
    const name = titles && [key, ...titles].join(' > ');
    if (titles === null) known.shared.push(...units);
    else known.tests.set(name, [...(known.tests.get(name) ?? []), ...units]);
  }
  return found;
}

// In the worker, before each test file: modules are forgotten, switches are set, what tests reach is recorded.
const SETUP = `
import { readFileSync, appendFileSync } from 'node:fs';
import { afterAll, afterEach, beforeEach, vi } from 'vitest';
const state = process.env.WILDCAUGHT_STATE;
const [on, flags] = readFileSync(state, 'utf8').split('\\n');
vi.resetModules();
globalThis.wildcaught?.set?.(on, flags);
if (flags === 'r') {
  const take = () => [...(globalThis.wildcaught?.take?.() ?? [])];
  const write = (file, titles, units) =>
    units.length > 0 && appendFileSync(state + '.reach', JSON.stringify([file, titles, units]) + '\\n');
  const titles = (task) => (task.suite && task.suite !== task.file ? [...titles(task.suite), task.name] : [task.name]);
  let file = null;
  beforeEach(({ task }) => {
    file = task.file.filepath;
    write(file, null, take());
  });
  afterEach(({ task }) => write(file, titles(task), take()));
  afterAll(() => file && write(file, null, take()));
}
`;
