// Types of a library that has none.
declare const VERSION: string;
declare let config: { port: number };
declare function start(port: number): Server;
declare function start(options: Options, ...more: string[]): Server;

interface Options {
  port?: number;
  onStart?(server: Server): void;
}

declare class Server extends Base {
  constructor(port: number);
  private constructor(readonly options: Options);
  static create(): Server;
  readonly address: import("net").AddressInfo;
  close(): Promise<void>;
}

declare abstract class Base {
  protected abstract tick(): void;
}

declare namespace Server {
  type Handler = (request: Request) => void;
  const handlers: Handler[];
  namespace Deep {
    interface Leaf { green: boolean }
  }
}

declare module "library" {
  global {
    namespace NodeJS {
      interface Process { library: Server }
    }
    var library: Server;
  }
  import { Thing } from "thing";
  export = Server;
}

declare module Legacy {
  var old: number;
}

declare enum Mode { A, B }

type Keys<T> = { readonly [K in keyof T]?: T[K] };
