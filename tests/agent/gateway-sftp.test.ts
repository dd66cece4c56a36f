import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { describeWithEngine } from "../support/describe-with-engine";
import { type GatewayWorld, runProgram, startGatewayWorld, writeRandom } from "./gateway-fixture";

const HOST = "root@127.0.0.1";
const sha256 = (data: Buffer) => createHash("sha256").update(data).digest("hex");

describeWithEngine("files through the gateway", () => {
  let world: GatewayWorld;
  let here: string;
  beforeAll(async () => {
    world = await startGatewayWorld();
    here = join(world.folder, "files");
    await mkdir(here);
  });
  afterAll(() => world.remove());

  const sumThere = async (path: string) =>
    (await world.ssh(`sha256sum '${path}'`)).stdout.toString().slice(0, 64);
  const sftp = (...lines: string[]) => world.client("sftp", ["-b", "-", HOST], `${lines.join("\n")}\n`);

  it("GW-30 copies files both ways by scp and sftp with equal checksums, of any size", async () => {
    for (const size of [0, 1, 65_536, 65_537, 5_000_001, 30_000_000]) {
      const [from, back] = [join(here, `f${size}`), join(here, `b${size}`)];
      const data = await writeRandom(from, size);
      expect((await world.client("scp", [from, `${HOST}:f`])).code).toBe(0);
      expect(await sumThere("/root/f"), `${size}`).toBe(sha256(data));
      expect((await world.client("scp", [`${HOST}:f`, back])).code).toBe(0);
      expect(sha256(await readFile(back)), `${size}`).toBe(sha256(data));
      expect((await sftp(`put ${from} g`, `get g ${back}`)).code).toBe(0);
      expect(sha256(await readFile(back)), `${size}`).toBe(sha256(data));
    }
  });

  it("GW-31 copies folders with permissions and times", async () => {
    const tree = join(here, "tree");
    await mkdir(join(tree, "a", "b"), { recursive: true });
    for (let i = 0; i < 40; i++) await writeFile(join(tree, "a", "b", `f${i}`), `${i}`);
    await writeFile(join(tree, "run"), "x", { mode: 0o751 });
    await utimes(join(tree, "run"), 1_000_000_000, 1_100_000_000);
    expect(await world.client("scp", ["-rp", tree, `${HOST}:`])).toMatchObject({ code: 0, stderr: "" });
    const { stdout } = await world.ssh("stat -c '%a %X %Y' tree/run");
    expect(stdout.toString()).toBe("751 1000000000 1100000000\n");
    expect((await world.client("scp", ["-rp", `${HOST}:tree`, join(here, "tree2")])).code).toBe(0);
    expect((await runProgram("diff", ["-r", tree, join(here, "tree2")])).code).toBe(0);
    expect((await stat(join(here, "tree2", "run"))).mode & 0o777).toBe(0o751);
    expect((await stat(join(here, "tree2", "run"))).mtimeMs).toBe(1_100_000_000_000);
  });

  it("GW-32 takes a file's name as it is, whatever a shell would make of it", async () => {
    const names = [
      ...[
        "a b",
        "-rf",
        "--help",
        "$(touch pwned)",
        "`touch pwned`",
        ";touch pwned;",
        "'quo'ted\"",
        "new\nline",
      ],
      ...[
        "*",
        "?",
        "[x]",
        "é ü 漢字 🚢",
        "back\\slash",
        "\\n",
        "%s%n",
        "~",
        "tab\there",
        " lead",
        "trail ",
        "trail\n",
      ],
    ];
    const odd = join(here, "odd");
    await mkdir(odd);
    for (const name of names) await writeFile(join(odd, name), name);
    expect(await world.client("scp", ["-r", odd, `${HOST}:`])).toMatchObject({ code: 0, stderr: "" });
    const back = join(here, "odd2");
    expect(await world.client("scp", ["-r", `${HOST}:odd`, back])).toMatchObject({ code: 0, stderr: "" });
    expect((await readdir(back)).sort()).toEqual([...names].sort());
    for (const name of names) expect(await readFile(join(back, name), "utf8")).toBe(name);
    const listed = await world.ssh("find odd -type f -exec echo x ';' | wc -l; find / -name pwned");
    expect(listed.stdout.toString()).toBe(`${names.length}\n`);
  });

  it("GW-33 goes on with a half copied file, both ways", async () => {
    const data = await writeRandom(join(here, "whole"), 6_000_000);
    await world.client("scp", [join(here, "whole"), `${HOST}:whole`]);
    await writeFile(join(here, "half"), data.subarray(0, 1_234_567));
    expect((await sftp(`reget whole ${join(here, "half")}`)).code).toBe(0);
    expect(sha256(await readFile(join(here, "half")))).toBe(sha256(data));
    await world.ssh("head -c 1234567 whole >half");
    expect((await sftp(`reput ${join(here, "whole")} half`)).code).toBe(0);
    expect(await sumThere("/root/half")).toBe(sha256(data));
  });

  it("GW-34 renames, links, changes permissions, makes and removes", async () => {
    await writeFile(join(here, "one"), "one");
    const ended = await sftp(
      ...[`put ${join(here, "one")} one`, `put ${join(here, "one")} two`, "rename one two", "chmod 640 two"],
      ...[
        "ln -s two soft",
        "ln two hard",
        "mkdir 'new dir'",
        "rename 'new dir' dir",
        "cd dir",
        "pwd",
        "cd ..",
      ],
      ...["rmdir dir", "ls -l two soft", "rm hard", "df -h /root"],
    );
    expect(ended).toMatchObject({ code: 0, stderr: "" });
    expect(ended.stdout.toString()).toContain("Remote working directory: /root/dir");
    const { stdout } = await world.ssh("stat -c %a two; readlink soft; ls dir hard one 2>&1 | wc -l");
    expect(stdout.toString()).toBe("640\ntwo\n3\n");
  });

  it("GW-35 says which kind of failure it was", async () => {
    await world.ssh("mkdir -p full/x; echo f > file");
    for (const [line, said] of [
      ["get nothing", "not found"],
      ["rm nothing", "No such file or directory"],
      ["rmdir full", "Failure"],
      ["mkdir full", "Failure"],
      ["ls nothing/deeper", "not found"],
      ["cd file", "not a directory"],
      [`put ${join(here, "one")} nothing/deeper`, "No such file or directory"],
      [`put ${join(here, "one")} /proc/version`, "Failure"],
      ["rename nothing other", "No such file or directory"],
    ] as const) {
      const { stderr, stdout, code } = await sftp(line);
      expect(code, line).toBe(1);
      expect(stderr + stdout.toString(), line).toContain(said);
    }
  });

  it("GW-36 lists a folder of thousands page by page, and a file that tells no size", async () => {
    await world.ssh("mkdir many; cd many; i=0; while [ $i -lt 3000 ]; do : >f$i; i=$((i+1)); done");
    const listed = await sftp("ls -1 many");
    expect(listed.stdout.toString().match(/f\d+/g)).toHaveLength(3000);
    expect((await sftp(`get /proc/cpuinfo ${join(here, "cpu")}`)).code).toBe(0);
    expect(await readFile(join(here, "cpu"), "utf8")).toContain("processor");
  });

  it("GW-37 leaves no process behind, and says so where no container runs", async () => {
    const before = world.state.container;
    expect((await world.ssh("ps")).stdout.toString()).not.toContain("while read -r mark");
    world.state.container = null;
    const ended = await sftp("ls");
    expect(ended.code).toBe(255);
    expect(ended.stderr).toContain("The instance is not running");
    world.state.container = before;
  });
});
