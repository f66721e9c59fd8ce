// A resident test runner: reads requests on standard input, runs tests in this process with modules loaded anew, and
// replies on standard output. Started as `node server.cjs FRAMEWORK ARGUMENTS…` in the root of the project.
'use strict';
const fs = require('fs');
const net = require('net');
const path = require('path');
const { Readable } = require('stream');
const { Worker } = require('worker_threads');

const LOADING = 60000; // milliseconds that loading may take in addition to the limit of a test, until it is known
const MOST_SAID = 4000;
const MOST_HEAP = 1 << 30; // bytes; modules that are loaded anew are not always freed

let nonce = '-';
const escape = (field) =>
  String(field).replace(/\\/g, '\\\\').replace(/\t/g, '\\t').replace(/\n/g, '\\n').replace(/\r/g, '\\r');
const unescape = (field) =>
  field.replace(/\\(.?)/g, (_, letter) => ({ t: '\t', n: '\n', r: '\r', '': '\\' })[letter] ?? letter);

function write(text) {
  for (let data = Buffer.from(text); data.length > 0; ) {
    try {
      data = data.subarray(fs.writeSync(1, data));
    } catch (error) {
      if (error.code !== 'EAGAIN') process.exit(1);
    }
  }
}
// On a line of its own, whatever somebody else wrote to the descriptor.
const reply = (...fields) => write('\n' + [nonce, ...fields].map(escape).join('\t') + '\n');

// What the guards ask. Frameworks that load modules elsewhere read the file that the runtime knows.
const switches = {
  unit: -1,
  on: null,
  seen: null,
  off(unit) {
    if (this.seen !== null) this.seen.add(unit);
    return unit !== this.unit && (this.on === null || !this.on.has(unit));
  },
  is(unit, mutant) {
    return this.on !== null && this.on.get(unit) === mutant;
  },
  switch(on) {
    const pairs = on.split(',').filter(Boolean).map((item) => item.split(':').map(Number));
    this.on = pairs.length > 0 ? new Map(pairs) : null;
    this.unit = pairs.length > 0 ? pairs[0][0] : -1;
  },
  take() {
    const seen = this.seen;
    this.seen = new Set();
    return seen ?? new Set();
  },
};

function ranges(units) {
  const out = [];
  let first = null;
  let last = null;
  for (const unit of [...units].sort((a, b) => a - b)) {
    if (last !== null && unit === last + 1) {
      last = unit;
      continue;
    }
    if (first !== null) out.push(`${first}-${last}`);
    first = last = unit;
  }
  if (first !== null) out.push(`${first}-${last}`);
  return out.join(',') || '-';
}

// A thread that ends this process if a test does not end: code that loops lets nothing else run here.
const WATCHDOG = `
const { parentPort } = require('worker_threads');
const fs = require('fs');
let job = null;
// Milliseconds of work of this process and of its workers.
const read = (path) => { try { return fs.readFileSync(path, 'utf8'); } catch { return ''; } };
const children = () => {
  const tasks = (() => { try { return fs.readdirSync('/proc/self/task'); } catch { return []; } })();
  return tasks.flatMap((task) => read('/proc/self/task/' + task + '/children').split(' ').filter(Boolean));
};
const used = (pid) => { const all = read('/proc/' + pid + '/stat').split(') ')[1]?.split(' ') ?? []; return (Number(all[11] ?? 0) + Number(all[12] ?? 0)) * 10; };
const cpu = () => {
  const { user, system } = process.cpuUsage();
  return children().reduce((sum, pid) => sum + used(pid), (user + system) / 1000);
};
parentPort.on('message', (told) => {
  if (told === null) { job = null; return; }
  job = { ...told, since: Date.now(), used: cpu() };
});
setInterval(() => {
  if (job === null) return;
  const took = Date.now() - job.since, used = cpu() - job.used;
  const busy = used > job.work;
  if (took < job.limit && !(busy && took > job.work)) return;
  const escape = (field) => String(field).replace(/\\\\/g, '\\\\\\\\').replace(/\\t/g, '\\\\t').replace(/\\n/g, '\\\\n');
  const line = (...fields) => '\\n' + [job.nonce, ...fields].map(escape).join('\\t') + '\\n';
  fs.writeSync(1, line('test', job.name, busy ? 'busy' : 'timeout', took, 'timed out') + line('end', 'restart'));
  process.kill(process.pid, 'SIGKILL');
}, 20);
`;
const watchdog = new Worker(WATCHDOG, { eval: true, stdout: true, stderr: true });
watchdog.unref();

// How long it took at most, in milliseconds, until something happened in a run without mutants.
let slowest = 0;
let measured = false;
const allowance = () => (measured ? 5 * slowest + 2000 : LOADING);

class Run {
  constructor(request, on, limit, work, flags, names) {
    this.nonce = request;
    this.on = on === '-' ? '' : on;
    this.limit = Number(limit);
    this.work = Number(work);
    this.firstKill = flags.includes('f');
    this.reach = flags.includes('r');
    this.names = names;
    this.left = new Set(names);
    this.killed = false;
    this.current = null;
  }
  // Something is loaded; the test is to blame if that does not end.
  loading(name = this.left.values().next().value ?? '') {
    this.heard();
    this.current = null;
    const more = allowance();
    watchdog.postMessage({ nonce: this.nonce, name, limit: this.limit + more, work: this.work + more });
  }
  // Something happened.
  heard() {
    const now = performance.now();
    if (this.on === '' && this.current === null && this.last !== undefined) slowest = Math.max(slowest, now - this.last);
    this.last = now;
  }
  begin(name) {
    this.heard();
    this.current = name;
    watchdog.postMessage({ nonce: this.nonce, name, limit: this.limit, work: this.work });
  }
  said(name, passed, millis, message = '') {
    if (!this.left.delete(name)) return;
    if (!passed) this.killed = true;
    reply('test', name, passed ? 'pass' : 'fail', (millis ?? 0).toFixed(2), String(message).slice(0, MOST_SAID));
    this.loading();
  }
  skipped(name) {
    if (this.left.delete(name)) reply('skip', name);
  }
  reached(name, units) {
    reply('reach', name, ranges(units));
  }
  // Whether no more tests are to be run.
  get over() {
    return this.left.size === 0 || (this.firstKill && this.killed);
  }
  byFile() {
    const files = new Map();
    for (const name of this.left) {
      const file = name.split(' > ', 1)[0];
      if (!files.has(file)) files.set(file, new Set());
      files.get(file).add(name);
    }
    return files;
  }
}

// Names of tests: the file and the titles, made unique by numbers.
class Names {
  constructor() {
    this.counts = new Map();
  }
  name(file, titles) {
    const name = [path.relative(process.cwd(), file), ...titles].join(' > ');
    const count = (this.counts.get(name) ?? 0) + 1;
    this.counts.set(name, count);
    return count === 1 ? name : `${name} #${count}`;
  }
}

const tools = { switches, ranges, Names, root: process.cwd(), directory: __dirname, reply };

async function main() {
  const [framework, ...rest] = process.argv.slice(2);
  const input = new net.Socket({ fd: 0, readable: true, writable: false });
  Object.defineProperty(process, 'stdin', { value: Readable.from([]), configurable: true });
  process.stdout.write = process.stderr.write = (chunk, encoding, done) => {
    const then = typeof encoding === 'function' ? encoding : done;
    if (then) process.nextTick(then);
    return true;
  };
  let run = null;
  // What a test left running may still fail; that is no end of ours.
  process.on('uncaughtException', () => {});
  process.on('exit', () => {
    if (run === null) return;
    const name = run.current ?? run.left.values().next().value ?? '';
    reply('test', name, 'fail', 0, 'it ended the process');
    reply('end', 'restart');
  });
  let adapter = null;
  let problem = null;
  try {
    adapter = await require(`./${framework}.cjs`)(rest, tools);
  } catch (error) {
    problem = error;
  }
  reply('ready');
  let restart = false;
  const handle = async (line) => {
    const [request, verb, ...fields] = line.split('\t').map(unescape);
    nonce = request;
    if (verb === 'list') {
      try {
        if (problem) throw problem;
        const { names, problems } = await adapter.list();
        names.forEach((name) => reply('test', name));
        problems.forEach((each) => reply('problem', each));
      } catch (error) {
        reply('problem', error?.stack ?? error);
      }
    } else if (verb === 'run') {
      const [on, limit, work, flags, ...names] = fields;
      run = new Run(request, on, limit, work, flags, names);
      run.loading();
      try {
        if (problem) throw problem;
        await adapter.run(run);
        // What is left had no turn because its file did not load.
        if (!run.over) for (const name of run.left) run.said(name, false, 0, 'it did not run');
      } catch (error) {
        for (const name of run.left) run.said(name, false, 0, error?.stack ?? error);
      }
      measured ||= run.on === '';
      run = null;
      watchdog.postMessage(null);
      restart = Boolean(adapter?.spoiled) || process.memoryUsage().heapUsed > MOST_HEAP;
    }
    reply('end', ...(restart ? ['restart'] : []));
    if (restart) process.kill(process.pid, 'SIGKILL');
  };
  let text = '';
  let queue = Promise.resolve();
  input.setEncoding('utf8');
  input.on('data', (data) => {
    text += data;
    const lines = text.split('\n');
    text = lines.pop();
    for (const line of lines) if (line) queue = queue.then(() => handle(line));
  });
  input.on('close', () => process.kill(process.pid, 'SIGKILL'));
}

main();
