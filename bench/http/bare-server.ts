// A server of nothing but node:http, which answers each request with bytes that it was given: the limit of all others.
// `bare-server.ts <file>`, the file a JSON object of answers by method, path and body in one.
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { z } from "zod";

const text = await readFile(process.argv[2] ?? "", "utf8");
const answers = new Map(
  Object.entries(z.record(z.string(), z.string()).parse(JSON.parse(text))).map(([asked, answer]) => [
    asked,
    Buffer.from(answer),
  ]),
);

const server = createServer((request, response) => {
  const parts: Buffer[] = [];
  request.on("data", (part: Buffer) => parts.push(part));
  request.once("end", () => {
    const answer = answers.get(`${request.method} ${request.url} ${Buffer.concat(parts).toString()}`);
    response.writeHead(answer ? 200 : 404, {
      "content-type": "application/json; charset=utf-8",
      "content-length": answer?.length ?? 0,
    });
    response.end(answer);
  });
});

server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  if (typeof address === "object") process.stdout.write(`ready    http://127.0.0.1:${address?.port}\n`);
});
process.once("SIGTERM", () => process.exit(0));
