#!/usr/bin/env node
/* Orders: the service and its types. */
import def, { type Clock as C, log, default as fallback } from "./shared/log";
import * as path from 'node:path';
import type { Request, Response } from "express";
import fs = require("fs");
import "reflect-metadata";
import Rows = db.tables.Rows;

export { log as logger, type C } from "./shared/log";
export * from "./errors";
export * as money from "./money";
export type { Request };
export { Orders as Service, retry };

/** How often a call is tried. */
export const RETRIES = 3, DELAY = ms("1s");
const { host, port: portNumber = 80, ...others } = readConfig<Config>(path.join(__dirname, "cfg"));
let [first, , [third]]: string[] = split(host), counter: number;
export let handler = cast as Handler<string>;
var fromEnvironment = <Env>process.env;

declare global {
  interface Window {
    readonly orders: Orders;
    reload?(force: boolean): Promise<void>;
  }
  var VERSION: string;
}

declare module "./errors" {
  export interface Errors { code: number }
  export function raise(e: Errors): never;
}

declare module "*.svg";

export namespace Money.Units {
  export const CENT = 0.01;
  const hidden = 1;
  export function format(n: number): string { return hidden + pad(n); }
  export enum Rounding { Up = "up", Down = 1 << 2, "half even" }
}

export declare const enum Level { Low, High }

/**
 * A callback.
 *
 * @param order the order
 */
type Callback<in out T = Order> = (order: T, extra: { notes: string }) => Promise<void> | { done: boolean };
type Shape = { kind: "a"; size: { w: number } } | { kind: "b"; area(): number };
export type Lazy = import("./lazy").Module<string>[];

export interface Repository<T extends object> extends Base<T>, Disposable {
  name: string;
  readonly tags?: ReadonlyArray<string>;
  find(id: string, ...more: string[]): Promise<T | undefined>;
  get size(): number;
  set size(value: number);
  onChange: (event: { id: string }) => void;
  [key: string]: unknown;
  (id: string): T;
  new (x: number): Repository<T>;
  ["computed" + name]: number;
}

function retry(times: number): Decorator;
function retry(times: number, delay?: string): Decorator;
function retry(this: Orders, times: any, delay = "1s"): asserts times is number {
  const attempt = async (n: number): Promise<void> => { await sleep(n); };
  const local = new Map<string, { a: number }>();
  let helpers = { run() { return attempt(1); }, nested: { stop: () => local.clear() } };
  function* inner() { yield helpers.run?.(); }
  class Local { go() {} }
  local.get("x")!.a.toFixed(2);
  for (const item of inner()) use(item);
  return (0, attempt)(...args);
}

// The service.
@Injectable({ scope: Scope.REQUEST, factory: () => make() })
@Controller("orders")
export abstract class Orders<T = Order> extends events.Emitter<T> implements Repository<T>, OnInit {
  static readonly TABLE = "orders";
  private static cache?: Map<string, Order> = new Map();
  @Input({ required: true }) protected override name!: string;
  declare readonly extra: Extra;
  #secret = compute();
  accessor ratio = 1;
  "quoted name": number = 1;
  options: { deep: { value: number } } = load();
  handle = async (e: Event): Promise<void> => { this.emit("x", e); };
  static Inner = class { run() {} };

  static { Orders.cache = warm(); }

  constructor(private readonly repo: Repository<Order>, @Inject(LOG) public log?: Logger, plain = 1) {
    super(repo, ...rest);
    this.handle = bind(this.handle, repo.find);
    this.callback = (x) => this.total(x);
  }

  @Get(":id")
  @UseGuards(AuthGuard)
  async find(@Param("id") id: string, { page, size }: Page = {}, [head]: string[] = []): Promise<Order> {
    const found = await this.repo.find(id);
    return found ?? super.find(id);
  }

  get size(): number { return this.#secret; }
  set size(value) { this.#secret = value; }
  protected abstract total(order: Order): Money.Units;
  private static async *pages<K>(from: K) { yield* this.cache!.values(); }
  [Symbol.iterator]() { return this["entries"](); }
}

@sealed class Plain {}

export default async function main(argv = process.argv): Promise<number> {
  const { default: lazy } = await import("./lazy");
  const tag = sql`select ${lazy} from ${argv}`;
  return new Orders(connect(), undefined).run(tag).then(done, (err) => fail(err));
}

export function größe<T,>(π: T): π is NonNullable<T> { return π != null }
