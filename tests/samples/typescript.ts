// A typed store; "quotes" and `backticks` don't matter here.
import type { Reducer } from './types';
import fs = require('node:fs');
export { type Reducer };

/** Doc comment with `code`. */
declare global {
  interface Window { readonly __state?: Record<string, unknown>; }
}

abstract class Store<S extends object = {}, const A = never> implements Disposable {
  private static instances: Map<string, Array<Promise<number>>> = new Map();
  protected readonly listeners?: Set<() => void>;
  #state!: S;
  declare size: number;

  constructor(public readonly name: string, private options: Partial<S> | null = null) {
    super();
  }
  get state(): S { return this.#state; }
  override async dispatch<K extends keyof S>(key: K, value: S[K] & {}): Promise<void> {
    const half = this.size! / 2, third = value!.length / 3;
    const width = (value as any) / 2, other = <number>value / 2;
    this.#state = { ...this.#state, [key]: value } satisfies S;
    await this.listeners?.forEach((listener) => listener?.());
  }
  abstract reduce(this: Store<S>, state: S, ...rest: unknown[]): asserts state is S;
}

enum Color { Red = 1 << 0, Green = `g`.length, Blue = "b".length }
namespace Util.Deep { export const x: unique symbol = Symbol(); }
type Getters<T> = { readonly [K in keyof T as `get${Capitalize<string & K>}`]-?: () => T[K] };
type Elem<T> = T extends (infer U extends string)[] ? U : never;
type Fn = new (...args: any[]) => typeof import('./x');
type Tuple = [first: string, second?: number, ...rest: boolean[]];

const isEmpty = (text: string): text is '' => !/\S/.test(text);
const pattern: RegExp = /^[^/]+\/(?<id>\d+)$/giu;
const big: bigint = 10n, real = 1_000.5e-3, hex = 0xFF, half = .5, dot = 1.;
const strings: string[] = ['it\'s', "say \"hi\"", `multi
line ${big + `${real}`} end`];
const $el = document.querySelector<HTMLElement>('#id')!;
let value = $el?.dataset?.['x'] ?? (undefined as unknown as string);
value ??= ''; value ||= 'a'; value &&= 'b';
let bits = 0xff; bits >>>= 1; bits >>= 1; bits <<= 2; bits **= 2; bits ^= ~bits;

function overload(a: string): string;
function overload(a: number): number;
@sealed @Component({ selector: 'app' })
export class Widget { @Input() name = 'x'; constructor(@Inject(TOKEN) private t: Token) {} }

function assertNever(x: never): never { throw new Error(`Unexpected: ${x}`); }
for (const [k, v] of Object.entries(value)) { if (k !== 'a' && v === null) continue; }
label: while (true) { if (bits > 1 || bits <= 0) break label; }
export default <T,>(x: T) => x;
