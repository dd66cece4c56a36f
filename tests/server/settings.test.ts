import { describe, expect, it } from "vitest";
import { readNodeSettings } from "../../lib/http/node/node-settings";

describe("settings", () => {
  it("SRV-28 serves on loopback and port 3000 with the embedded database where nothing is set", () => {
    expect(readNodeSettings({})).toEqual({
      host: "127.0.0.1",
      port: 3000,
      dataDir: ".data",
      role: "both",
      workers: 1,
      isWebProcess: false,
      logLevel: "info",
      dev: false,
    });
    expect(readNodeSettings({ PORT: "", DATABASE_URL: "", METRICS_PORT: "0" })).toMatchObject({
      port: 3000,
      metricsPort: 0,
    });
  });

  it.each([
    [{ PORT: "3e3" }, /PORT=3e3 is not a port/],
    [{ PORT: "65536" }, /from 0 to 65535/],
    [{ METRICS_PORT: "-1" }, /METRICS_PORT=-1/],
    [{ ROLE: "all" }, /web, worker, both/],
    [{ WORKERS: "0" }, /WORKERS=0 is not a number of processes/],
    [{ WORKERS: "65" }, /from 1 to 64/],
    [{ LOG_LEVEL: "loud" }, /LOG_LEVEL=loud/],
    [{ PUBLIC_URL: "gpu.example.com" }, /PUBLIC_URL=gpu\.example\.com/],
    [{ PUBLIC_URL: "https://gpu.example.com/berth" }, /without a path/],
    [{ HOST: "0.0.0.0" }, /PUBLIC_URL has to say/],
    [{ HOST: "::" }, /PUBLIC_URL has to say/],
    [{ HOST: "127.0.0.1.evil.example" }, /PUBLIC_URL has to say/],
  ])("SRV-28 refuses %j with a sentence that names the setting", (env, message) => {
    expect(() => readNodeSettings(env)).toThrow(message);
  });

  it("SRV-28 takes any host where PUBLIC_URL is set, and keeps its origin", () => {
    const settings = readNodeSettings({ HOST: "0.0.0.0", PUBLIC_URL: "https://GPU.example.com/" });
    expect(settings.publicUrl).toBe("https://gpu.example.com");
    expect(readNodeSettings({ HOST: "0.0.0.0", ROLE: "worker" }).role).toBe("worker");
    for (const host of ["localhost", "::1", "127.8.8.8"])
      expect(readNodeSettings({ HOST: host }).host).toBe(host);
  });
});
