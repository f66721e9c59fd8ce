// mocha in this process: the project's modules are loaded anew for every request.
'use strict';
const fs = require('fs');
const Module = require('module');
const path = require('path');
const { pathToFileURL } = require('url');

module.exports = async function (args, tools) {
  const { switches, root, Names } = tools;
  globalThis.wildcaught = switches;
  const require_ = Module.createRequire(path.join(root, 'package.json'));
  const home = path.dirname(require_.resolve('mocha/package.json'));
  const Mocha = require(home);
  const part = (name) => {
    try {
      return require(path.join(home, name));
    } catch {
      return null;
    }
  };
  const options = loadOptions(part, args);
  const files = collect(part, Mocha, options);
  const requires = [].concat(options.require ?? []);
  const plugins = await handleRequires(part, requires, require_);
  keepCompiled(root);
  const generations = hookImports(root);
  let generation = 0;

  // Loads files; gives the suite and its tests by their names.
  async function load(wanted, bail) {
    generation++;
    for (const key of Object.keys(require.cache)) {
      if (isOwn(root, key)) delete require.cache[key];
    }
    const mocha = new Mocha({
      ...options, reporter: function () {}, reporterOptions: {}, parallel: false, bail, grep: undefined, ...plugins,
    });
    mocha.files = wanted;
    if (mocha.loadFilesAsync) {
      await mocha.loadFilesAsync({ esmDecorator: (file) => `${file}?wildcaught=${generation}` });
    } else {
      mocha.loadFiles();
    }
    const names = new Names();
    const tests = new Map();
    const walk = (suite) => {
      for (const test of suite.tests) {
        const titles = [];
        for (let at = test; at && !at.root; at = at.parent) titles.unshift(at.title);
        tests.set(names.name(test.file ?? suite.file ?? wanted[0], titles), test);
      }
      suite.suites.forEach(walk);
    };
    walk(mocha.suite);
    return { mocha, tests };
  }

  // Runs some tests of files that were loaded.
  function execute({ mocha, tests }, chosen, run, before) {
    const names = new Map();
    for (const [name, test] of tests) {
      if (chosen.has(name)) names.set(test, name);
      else test.parent.tests = test.parent.tests.filter((other) => other !== test);
    }
    // Units of hooks around several tests belong to all of them.
    const shared = new Set(before);
    const own = new Map();
    const give = (units) => run.reach && units.forEach((unit) => shared.add(unit));
    return new Promise((resolve) => {
      const begun = new Map();
      const verdicts = new Map();
      const runner = mocha.run(() => {
        give(switches.take());
        for (const [name, units] of own) run.reached(name, new Set([...units, ...shared]));
        for (const [test, name] of names) {
          if (test.isPending()) run.skipped(name);
        }
        resolve();
      });
      runner.on('test', (test) => {
        const name = names.get(test);
        if (name === undefined) return;
        give(switches.take());
        begun.set(test, performance.now());
        run.begin(name);
      });
      runner.on('pass', (test) => verdicts.set(test, [true, '']));
      runner.on('fail', (test, error) => {
        const message = error?.stack ?? error?.message ?? String(error);
        const name = names.get(test);
        if (name !== undefined) {
          verdicts.set(test, [false, message]);
          return;
        }
        // A hook: the test that it belongs to, or all tests of its suite.
        const current = test.ctx?.currentTest;
        const blamed = names.has(current) ? [current] : [...names.keys()].filter((one) => isUnder(one, test.parent));
        for (const one of blamed) if (!verdicts.has(one) || one === current) say(one, false, message);
      });
      const say = (test, passed, message) => {
        const name = names.get(test);
        if (name === undefined) return;
        if (run.reach) own.set(name, new Set([...(own.get(name) ?? []), ...switches.take()]));
        run.said(name, passed, test.duration ?? performance.now() - (begun.get(test) ?? performance.now()), message);
      };
      runner.on('test end', (test) => {
        const [passed, message] = verdicts.get(test) ?? [null];
        if (test.isPending()) run.skipped(names.get(test));
        else if (passed !== null) say(test, passed, message);
      });
    });
  }

  return {
    get spoiled() {
      // Modules that can only be imported once need a new process.
      return generations.stale;
    },
    async list() {
      const problems = files.length === 0 ? [`no test file was found by mocha (${args.join(' ')})`] : [];
      const found = (loaded) => [...loaded.tests.keys()].filter((name) => !loaded.tests.get(name).isPending());
      try {
        return { names: found(await load(files, false)), problems };
      } catch {
        // One of them does not load: the others still do.
      }
      const names = [];
      for (const file of files) {
        try {
          names.push(...found(await load([file], false)));
        } catch (error) {
          problems.push(`${path.relative(root, file)}: ${error?.stack ?? error}`);
        }
      }
      return { names, problems };
    },
    async run(run) {
      switches.switch(run.on);
      switches.seen = run.reach ? new Set() : null;
      const groups = [...run.byFile()];
      const together = run.firstKill || run.reach ? groups : [[null, new Set(run.left)]];
      for (const [file, chosen] of together) {
        const wanted = file === null ? files.filter((one) => groups.some(([name]) => name === path.relative(root, one)))
          : [path.resolve(root, file)];
        run.loading(chosen.values().next().value);
        let loaded;
        try {
          loaded = await load(wanted, run.firstKill);
        } catch (error) {
          for (const name of chosen) run.said(name, false, 0, error?.stack ?? error);
          if (run.over) break;
          continue;
        }
        await execute(loaded, chosen, run, run.reach ? switches.take() : []);
        loaded.mocha.dispose?.();
        if (run.over) break;
      }
      switches.switch('');
      switches.seen = null;
    },
  };
};

const isUnder = (test, suite) => {
  for (let at = test.parent; at; at = at.parent) if (at === suite) return true;
  return false;
};

const isOwn = (root, file) => file.startsWith(root + path.sep) && !file.includes(`${path.sep}node_modules${path.sep}`);

function loadOptions(part, args) {
  const { loadOptions: load } = part('lib/cli/options.js') ?? {};
  const options = load ? load(args) : { _: args.filter((word) => !word.startsWith('-')) };
  const spec = [].concat(options._ ?? [], options.spec ?? []).filter((one) => typeof one === 'string');
  return { ...options, spec: spec.length > 0 ? [...new Set(spec)] : ['./test'] };
}

function collect(part, Mocha, options) {
  const { ignore = [], exclude = [], extension = ['js', 'cjs', 'mjs'], file = [], recursive = false, sort = false, spec } = options;
  const all = part('lib/cli/collect-files.js');
  if (typeof all === 'function') {
    const found = all({ ignore: [].concat(ignore, exclude), extension: [].concat(extension), file: [].concat(file), recursive, sort, spec });
    return (Array.isArray(found) ? found : found.files).map((one) => path.resolve(one));
  }
  const lookup = Mocha.utils.lookupFiles ?? part('lib/cli/lookup-files.js');
  const found = spec.flatMap((one) => {
    try {
      return lookup(one, [].concat(extension), recursive);
    } catch {
      return [];
    }
  });
  return [...[].concat(file), ...found].map((one) => path.resolve(one));
}

async function handleRequires(part, requires, require_) {
  const helpers = part('lib/cli/run-helpers.js');
  for (const one of requires) {
    const local = fs.existsSync(path.resolve(one)) || fs.existsSync(path.resolve(`${one}.js`));
    try {
      require_(local ? path.resolve(one) : one);
    } catch (error) {
      if (error.code !== 'ERR_REQUIRE_ESM') throw error;
      await import(pathToFileURL(require_.resolve(local ? path.resolve(one) : one)).href);
    }
  }
  if (!helpers?.handleRequires) return {};
  const plugins = (await helpers.handleRequires(requires)) ?? {};
  const { rootHooks } = plugins;
  return rootHooks ? { rootHooks } : {};
}

// What a compiler hook (Babel, ts-node) made of a file is kept: the second time it is only evaluated.
function keepCompiled(root) {
  const compiled = new Map();
  for (const ending of Object.keys(Module._extensions)) {
    const handler = Module._extensions[ending];
    if (ending === '.json' || ending === '.node') continue;
    Module._extensions[ending] = function (module, file) {
      if (!isOwn(root, file)) return handler(module, file);
      if (compiled.has(file)) return module._compile(compiled.get(file), file);
      const { _compile } = module;
      module._compile = function (code, name) {
        compiled.set(file, code);
        delete module._compile;
        return _compile.call(module, code, name);
      };
      return handler(module, file);
    };
  }
}

// Modules are imported anew under another address; where node cannot be told so, the process is used once.
function hookImports(root) {
  const state = { stale: false };
  const base = pathToFileURL(root).href + '/';
  const hooks = `
export async function resolve(specifier, context, next) {
  const found = await next(specifier, context);
  const mark = /[?&]wildcaught=\\d+/.exec(context.parentURL ?? '');
  if (!mark || !found.url.startsWith(${JSON.stringify(base)}) || found.url.includes('/node_modules/') || found.url.includes('wildcaught=')) return found;
  return { ...found, url: found.url + (found.url.includes('?') ? '&' : '?') + mark[0].slice(1) };
}`;
  if (typeof Module.register === 'function') {
    Module.register('data:text/javascript,' + encodeURIComponent(hooks));
  } else {
    state.stale = fs.existsSync(path.join(root, 'package.json'))
      && JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8')).type === 'module';
  }
  return state;
}
