// A language server on a pipe, as far as go-to-definition needs one.
import { spawn } from 'node:child_process';
import { pathToFileURL } from 'node:url';

export class Server {
  // ready is a pattern of the log message by which the server says that it has
  // read the whole work tree.
  constructor(command, args, root, ready, options) {
    this.process = spawn(command, args, { cwd: root, stdio: ['pipe', 'pipe', 'ignore'] });
    this.waiting = new Map();
    this.next = 1;
    this.chunks = [];
    this.indexed = new Promise(resolve => { this.note = m => ready.test(JSON.stringify(m.params ?? '')) && resolve(); });
    this.process.stdout.on('data', d => this.read(d));
    this.root = root;
    this.options = options;
  }

  async start() {
    const uri = pathToFileURL(this.root).href;
    await this.ask('initialize', {
      processId: process.pid, rootPath: this.root, rootUri: uri, workspaceFolders: [{ uri, name: 'root' }], initializationOptions: this.options,
      capabilities: { workspace: { configuration: true, workspaceFolders: true }, textDocument: { definition: { linkSupport: false } } },
    });
    this.tell('initialized', {});
    await this.indexed;
  }

  read(data) {
    this.buffer = this.buffer?.length ? Buffer.concat([this.buffer, data]) : data;
    for (;;) {
      const head = this.buffer.indexOf('\r\n\r\n');
      if (head < 0) return;
      const end = head + 4 + Number(/Content-Length: (\d+)/i.exec(this.buffer.toString('latin1', 0, head))[1]);
      if (this.buffer.length < end) return;
      const message = JSON.parse(this.buffer.toString('utf8', head + 4, end));
      this.buffer = this.buffer.subarray(end);
      this.take(message);
    }
  }

  take(m) {
    if (m.method && m.id !== undefined) {
      this.send({ id: m.id, result: m.method === 'workspace/configuration' ? m.params.items.map(() => null) : null });
    } else if (m.method) {
      this.note(m);
    } else {
      this.waiting.get(m.id)?.(m.result);
      this.waiting.delete(m.id);
    }
  }

  send(message) {
    const text = JSON.stringify({ jsonrpc: '2.0', ...message });
    this.process.stdin.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
  }

  ask(method, params) {
    const id = this.next++;
    return new Promise(resolve => {
      this.waiting.set(id, resolve);
      this.send({ id, method, params });
    });
  }

  tell(method, params) {
    this.send({ method, params });
  }

  // definitions is where the server takes each position of a file to: a list
  // of [uri, line counted from 1] a position.
  async definitions(path, text, positions) {
    const uri = pathToFileURL(path).href;
    this.tell('textDocument/didOpen', { textDocument: { uri, languageId: 'php', version: 1, text } });
    const answers = await Promise.all(positions.map(position => this.ask('textDocument/definition', { textDocument: { uri }, position })));
    this.tell('textDocument/didClose', { textDocument: { uri } });
    return answers.map(a => (a == null ? [] : Array.isArray(a) ? a : [a]).map(l => [l.uri ?? l.targetUri, (l.range ?? l.targetSelectionRange).start.line + 1]));
  }

  stop() {
    this.process.kill();
  }
}
