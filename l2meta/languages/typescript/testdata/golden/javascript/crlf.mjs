export default class {
  /** Zählt. */
  zähle(n = 1) {
    return this.zähle(n + 1);
  }
}
module.exports = function () { };
export default () => 1;
