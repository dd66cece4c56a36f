import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { describeWithEngine } from "../support/describe-with-engine";
import {
  findPort,
  type GatewayWorld,
  makeGnuImage,
  runProgram,
  startContainer,
  startGatewayWorld,
  writeRandom,
} from "./gateway-fixture";

const HOST = "root@127.0.0.1";
const sha256 = (data: Buffer) => createHash("sha256").update(data).digest("hex");

describeWithEngine("images of other kinds", () => {
  let world: GatewayWorld;
  beforeAll(async () => {
    world = await startGatewayWorld();
  });
  afterAll(() => world.remove());

  it.each(["bash", "dash"] as const)(
    "GW-70 serves shells and files with coreutils and %s",
    async (shell) => {
      const image = await makeGnuImage(world.engine, world.folder, shell);
      world.state.container = (await startContainer(world.docker, image)).place;
      expect((await world.ssh("echo $SHELL")).stdout.toString()).toBe(
        shell === "bash" ? "/bin/bash\n" : "/bin/sh\n",
      );
      const login = await world.client("ssh", ["-tt", HOST], "echo path=$PATH\nexit 4\n");
      expect(login.stdout.toString()).toContain("path=/bin:/from/profile");
      expect(login.code).toBe(4);

      const here = join(world.folder, `${shell}-files`);
      await mkdir(join(here, "odd"), { recursive: true });
      const names = [
        "a b",
        "-rf",
        "$(touch pwned)",
        "new\nline",
        "*",
        "é 🚢",
        "\\n",
        "trail\n",
        "'q\"",
        "%s",
      ];
      for (const name of names) await writeFile(join(here, "odd", name), name, { mode: 0o640 });
      const big = await writeRandom(join(here, "odd", "big"), 9_000_001);
      expect(await world.client("scp", ["-rp", join(here, "odd"), `${HOST}:`])).toMatchObject({
        code: 0,
        stderr: "",
      });
      expect(await world.client("scp", ["-rp", `${HOST}:odd`, join(here, "back")])).toMatchObject({
        code: 0,
        stderr: "",
      });
      expect((await readdir(join(here, "back"))).sort()).toEqual([...names, "big"].sort());
      for (const name of names) expect(await readFile(join(here, "back", name), "utf8")).toBe(name);
      expect(sha256(await readFile(join(here, "back", "big")))).toBe(sha256(big));

      await world.ssh("head -c 1000001 odd/big >part");
      const batch = ["mkdir d", "put odd/big b", "rename b c", "ln -s c l", "ln c h", "chmod 600 c", "ls -l"];
      const more = [
        "reput odd/big part",
        "df",
        "rm l",
        "rmdir d",
        "pwd",
        "-rm none",
        "-mkdir odd",
        "-rmdir odd",
        "get c c2",
      ];
      const lines = ["cd .", `lcd ${here}`, ...batch, ...more].join("\n");
      const ended = await world.client("sftp", ["-b", "-", HOST], `${lines}\n`);
      expect(ended.code, ended.stderr).toBe(0);
      expect(ended.stderr).toContain("/root/none: No such file or directory");
      expect(ended.stdout.toString()).toMatch(/-rw-------\s+2 root\s+root\s+9000001/);
      expect(sha256(await readFile(join(here, "c2")))).toBe(sha256(big));
      expect((await world.ssh("sha256sum part")).stdout.toString()).toContain(sha256(big));
    },
    90_000,
  );

  it("GW-71 lets a user be another than root, in the container too", async () => {
    const image = await makeGnuImage(world.engine, join(world.folder), "bash");
    const { place } = await startContainer(world.docker, image);
    const port = await findPort();
    await world.gateway.open({
      ...world.door,
      ...{ instanceId: "inst_me", port, username: "me", container: () => place },
    });
    const options = [...world.options, "-i", join(world.folder, "id")];
    const said = await runProgram("ssh", [
      ...options,
      "-p",
      String(port),
      "me@127.0.0.1",
      "id -u; echo ~; echo x >f",
    ]);
    expect(said.stdout.toString()).toBe("1000\n/home/me\n");
    const lines = ["-put /etc/passwd /etc/passwd2", "-get /root/x", "put /etc/hostname mine", "ls -l mine"];
    const sftp = await runProgram(
      "sftp",
      [...options, "-P", String(port), "-b", "-", "me@127.0.0.1"],
      lines.join("\n"),
    );
    expect(sftp.stderr).toContain('dest open "/etc/passwd2": Permission denied');
    expect(sftp.stdout.toString()).toMatch(/1000\s+1000|me\s+me/);
    await world.gateway.close("inst_me");
  });
});
