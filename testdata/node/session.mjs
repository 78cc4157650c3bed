// A session of the MCP TypeScript SDK's client with the server that the
// arguments start: node session.mjs WORKSPACE COMMAND [ARGUMENT...]. It prints
// one JSON object of what the client saw; what the SDK cannot validate ends it
// with an error.
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";

const [path, command, ...args] = process.argv.slice(2);
const seen = { errors: [], progress: 0, answers: {} };
const client = new Client({ name: "session", version: "1.0.0" });
// The SDK handles notifications a turn later than answers, and no longer knows
// the call when both come in one piece: such progress counts as progress.
client.onerror = (e) => (/progress notification for an unknown token/.test(e) ? seen.progress++ : seen.errors.push(String(e)));
await client.connect(new StdioClientTransport({ command, args, env: { ...process.env }, stderr: "inherit" }));

seen.server = client.getServerVersion();
seen.tools = (await client.listTools()).tools.map((t) => t.name);
const call = async (name, input) => {
  const answer = await client.callTool({ name, arguments: input }, undefined, { onprogress: () => seen.progress++ });
  seen.answers[name] = { isError: answer.isError === true, text: answer.content.map((c) => c.text).join("") };
};
await call("manage_index", { action: "create", path, wait: true });
await call("list_codebases", {});
await call("search_codebase", { path, query: "greet" });
await call("file_outline", { path, file: "main.go" });
await call("call_graph", { path, symbolRef: { symbolLabel: "greet" } });
await call("read_file", { path: path + "/main.go" });

seen.refused = await client.callTool({ name: "search_codebase", arguments: { path: "~/src", query: "x" } });
await client.ping();
await client.close();
process.stdout.write(JSON.stringify(seen) + "\n");
