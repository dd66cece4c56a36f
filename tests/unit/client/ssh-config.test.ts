import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import {
  keyscanCommand,
  scpCommand,
  sshAlias,
  sshCommand,
  sshConfig,
  vscodeLink,
  webLink,
} from "@/lib/client/ssh-config";

const target = { host: "203.0.113.17", port: 10_001, user: "root" };

/** The words that a shell makes of a line. */
function words(line: string): string[] {
  const print = 'for word do printf "%s\\0" "$word"; done';
  const out = execFileSync("sh", ["-c", `set -- ${line}\n${print}`], { encoding: "utf8" });
  return out.split("\0").slice(0, -1);
}

describe("lines to paste", () => {
  it("WEB-40 logs in, copies, and fits into ~/.ssh/config and VS Code", () => {
    expect(sshCommand(target)).toBe("ssh -p 10001 root@203.0.113.17");
    expect(scpCommand(target)).toBe("scp -P 10001 ./file root@203.0.113.17:");
    expect(sshConfig("berth-x", target)).toBe(
      "Host berth-x\n  HostName 203.0.113.17\n  Port 10001\n  User root",
    );
    expect(vscodeLink(target)).toBe("vscode://vscode-remote/ssh-remote+root@203.0.113.17:10001/");
    expect(scpCommand({ ...target, host: "2001:db8::1" })).toBe("scp -P 10001 ./file 'root@[2001:db8::1]:'");
    expect(vscodeLink({ ...target, host: "2001:db8::1" })).toContain("@[2001:db8::1]:10001/");
  });

  it.each(["root; touch /tmp/x", "$(id)", "`id`", "-oProxyCommand=id", "a'b\"c", "a\nb", "| sh", "~root"])(
    "WEB-41 a hostile user or host %j stays one word of the line",
    (hostile) => {
      const user = { ...target, user: hostile };
      const host = { ...target, host: hostile };
      expect(words(sshCommand(user)).at(-1)).toBe(`${hostile}@203.0.113.17`);
      expect(words(sshCommand(host)).at(-1)).toBe(`root@${hostile}`);
      expect(words(scpCommand(user)).at(-1)).toBe(`${hostile}@203.0.113.17:`);
      if (hostile.startsWith("-")) expect(words(sshCommand(user)).at(-2)).toBe("--");
      const scan = words(keyscanCommand(host).replace(/ 2>\/dev\/null \| ssh-keygen -lf -$/, ""));
      expect(scan.at(-1)).toBe(hostile);
      expect(sshConfig("berth-x", user).split("\n")).toHaveLength(4);
      expect(vscodeLink(user)).toMatch(
        /^vscode:\/\/vscode-remote\/ssh-remote\+[\w.%!~*'()-]+@203\.0\.113\.17:10001\/$/,
      );
    },
  );

  it("WEB-42 names a block in plain letters, apart from others of that name", () => {
    expect(sshAlias("Fine tuning № 3", "inst_abcd1234")).toBe("berth-fine-tuning-3-1234");
    expect(sshAlias("дообучение", "inst_abcd1234")).toBe("berth-1234");
    expect(sshAlias("* !host\nProxyCommand id", "inst_abcd1234")).toBe("berth-host-proxycommand-id-1234");
  });

  it("WEB-43 links only to http and https", () => {
    expect(webLink("http://203.0.113.17:8888/lab?token=x")).toBe("http://203.0.113.17:8888/lab?token=x");
    for (const url of ["javascript:alert(1)", "data:text/html,x", "vbscript:x", "//x", "", null]) {
      expect(webLink(url)).toBeNull();
    }
  });
});
