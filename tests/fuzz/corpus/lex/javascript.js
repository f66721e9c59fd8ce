#!/usr/bin/env node
'use strict';
// A small router; "quotes" and `backticks` don't matter here.
import fs, { readFile as read } from 'node:fs';
export * from "./routes.js";

/* regular expressions: where a value may begin */
const patterns = [/^\/users\/(\d+)$/, /[/\]"']+/gi, /=/, /\\/u, /a{1,2}|b*/sy, /(?<year>\d{4})/v];
const divided = total / count / 2, half = (a + b) / 2, item = list[0] / 3;
const replaced = text.replace(/>/g, '&gt;').replace(/"/g, "&quot;");
const ok = typeof x === 'undefined' || /^[a-z$_][\w$]*$/i.test(name) && !/\s/.test(name);

const strings = ['it\'s', "say \"hi\"", 'joined \
line', '\u{1F600}\x41\u0041', ''];
const numbers = [0, 1., .5, 1.5e-3, 1e+10, 2.e5, 0xFF, 0b1010, 0o17, 1_000_000, 10n, 0xFFn, 1..toFixed];
const $el = $('#id'), _private = null, größe = void 0, π = Math.PI;

const template = `plain`;
const nested = `a ${b + `inner ${c ? `deep ${d}` : '}'} end`} \${not} \` ${{ key: 1 }.key} $ {x}
second line ${fn(/}/, "}")}`;
const tagged = html`<p class="${cls}">${items.map((i) => `<li>${i}</li>`).join('')}</p>`;
const empty = `${''}`;

class Router extends Base {
  #routes = new Map();
  static #count = 0;
  static { Router.#count ??= 1; }
  get size() { return this.#routes.size / 1; }
  async *walk({ depth = 1, ...rest } = {}) {
    yield* this.#walk(depth ** 2, rest);
    for await (const [key, value] of this.#routes) yield key?.length ?? value?.[0];
  }
  has(x) { return #routes in x; }
  @decorated method() { return new.target; }
}

fu