'use strict';

const path = require('path');
const { readFile, writeFile: write, ...rest } = require("fs/promises");
var EventEmitter = require('events').EventEmitter;
require('./register');
let debug = require('debug')('app:router');

/**
 * Routes requests.
 *
 * @class
 */
function Router(options) {
  if (!(this instanceof Router)) return new Router(options);
  this.options = options;
  this.match = function (url) { return url === this.options.url; };
  EventEmitter.call(this);
}

Router.prototype = Object.create(EventEmitter.prototype);
Router.prototype.handle = function handle(req, res, next = noop) {
  var self = this;
  req.on('end', function onEnd() { self.emit('done', res); });
  return next();
};
Router.METHODS = ['get', 'put'];
Router.create = (options) => new Router(options);
Router.helpers = { join: path.join, split(url) { return url.split('/'); } };

class Server extends http.Server {
  static #count = 0;
  port = 80;
  onRequest = (req) => this.route(req);
  "quoted"() {}
  constructor({ port, host } = {}, ...plugins) {
    super();
    this.port = port;
    this.host = host;
    this.log = (line) => debug(line);
    this.plugins = plugins.map((p) => p(this));
  }
  get url() { return `${this.host}:${this.port}`; }
  set url(value) { this.host = value; }
  static async *list() { yield* Server.#count; }
  async start() {
    this.started = Date.now();
    for (const plugin of this.plugins) await plugin.start?.(this);
    await import('./late.js');
  }
}

var hidden;
if (process.env.DEBUG) {
  var traced = trace(Server);
  let scoped = 1;
  function conditional() { return scoped; }
}

(function (root, factory) {
  var local = 1;
  function inner() { return local; }
  root.api = factory(inner);
  root.api.version = () => '1';
}(this, function () { return {}; }));

let late;
late = function () { return hidden; };

const api = {
  name: 'api',
  get: () => late(),
  async post(body) { return send(body); },
  nested: { deep: function () {}, get value() { return 1; } },
  [computed()]: (x) => x,
  'quoted-key': async () => {},
};

exports.VERSION = '1.0';
exports.parse = function (text) { return JSON.parse(text); };
exports.format = format;
exports.late = exports.later = late;
module.exports.path = require('./path');
exports.Error = class extends Error {};
module.exports = {
  Router,
  Server: Server,
  api,
  middleware: require('./middleware'),
  make(options) { return new Router(options); },
  build: function () { return api.get(); },
  limit: 10,
  ...require('./more'),
};

const größe = async (π) => { await π; }; export { größe };
export default { data() { return {}; }, methods: { click() { this.go(); } } };
function broken( { return; }
function afterTheError() { return api.get(1, ...[2]); }
