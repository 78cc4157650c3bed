// Tests of what a value is, and the code in which they hold.
export function text(v: unknown, o: { kind: string; part?: unknown }, next: () => unknown) {
  if (typeof v === "string") {
    v.trim();
    v = next();
    v.unasked();
  }
  if (!(v instanceof Map) || !isText(o.part)) return v.toString();
  v.get(1);
  switch (o.kind) {
    case "a":
    case "b":
      o.part.trim();
      break;
    default:
      o.part.slice();
  }
  return typeof next === "function";
}
