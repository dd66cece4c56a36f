import { isIPv6 } from "node:net";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { imageToPull, isImageTag, isRegistryHost, parseImage } from "../../../lib/templates/image-reference";

const sha256 = `sha256:${"0123456789abcdef".repeat(4)}`;
const sha512 = `sha512:${"0123456789abcdef".repeat(8)}`;

const valid: [string, string | null, string, string | null, string | null][] = [
  ["ubuntu", null, "ubuntu", null, null],
  ["ubuntu:24.04", null, "ubuntu", "24.04", null],
  ["a/b", null, "a/b", null, null],
  ["a/b:tag", null, "a/b", "tag", null],
  [`a/b@${sha256}`, null, "a/b", null, sha256],
  [`a/b:tag@${sha512}`, null, "a/b", "tag", sha512],
  ["ghcr.io/a/b", "ghcr.io", "a/b", null, null],
  ["GHCR.io/a/b", "ghcr.io", "a/b", null, null],
  ["localhost/a", "localhost", "a", null, null],
  ["localhost:5000/a/b/c:1", "localhost:5000", "a/b/c", "1", null],
  ["localhost:5000", null, "localhost", "5000", null],
  ["127.0.0.1:5000/a", "127.0.0.1:5000", "a", null, null],
  ["[2001:db8::1]:5000/a", "[2001:db8::1]:5000", "a", null, null],
  ["[::1]/a:b", "[::1]", "a", "b", null],
  ["xn--n3h.com/a:__A-.1", "xn--n3h.com", "a", "__A-.1", null],
  ["a__b/c-----d/e_f/g.h", null, "a__b/c-----d/e_f/g.h", null, null],
  ["nvidia/cuda:12.8.1-cudnn-devel-ubuntu24.04", null, "nvidia/cuda", "12.8.1-cudnn-devel-ubuntu24.04", null],
];

const invalid: [string, RegExp][] = [
  ["", /An image is needed/],
  ["Ubuntu", /lower case/],
  ["a/B:tag", /lower case/],
  ["a..b", /two dots/],
  ["../etc/passwd", /host name/],
  ["a/../b", /two dots/],
  ["https://ghcr.io/a/b", /Leave out https/],
  ["docker://ubuntu", /Leave out https/],
  ["a b", /spaces/],
  [" ubuntu", /spaces/],
  ["ubuntu\n", /spaces or control/],
  ["ubuntu\0", /spaces or control/],
  ["ubuntu\u202e", /spaces or control/],
  ["ubuntü", /ASCII/],
  ["аpache", /ASCII/],
  ["-a", /begin and end/],
  ["a-", /begin and end/],
  ["a___b", /begin and end/],
  ["a._b", /begin and end/],
  ["a//b", /begin and end/],
  ["a/", /begin and end/],
  ["/a", /begin and end/],
  ["ghcr.io/", /begin and end/],
  ["a:", /tag/],
  ["a:-b", /tag/],
  ["a:.b", /tag/],
  [`a:${"t".repeat(129)}`, /tag/],
  ["a:b:c", /begin and end/],
  ["a:b/c:d", /host name/],
  ["a@", /digest/],
  ["a@sha256:abc", /digest/],
  [`a@${sha256.toUpperCase()}`, /digest/],
  [`a@${sha256}0`, /digest/],
  [`a@md5:${"0".repeat(32)}`, /digest/],
  [`a@${sha256}@${sha256}`, /digest/],
  ["host.com:0/a", /host name/],
  ["host.com:65536/a", /host name/],
  ["host.com:x/a", /host name/],
  ["-host.com/a", /host name/],
  ["host-.com/a", /host name/],
  ["host..com/a", /host name/],
  ["a_127.0.0.1/a", /host name/],
  ["user:password@host.com/a", /digest/],
  ["[::1/a", /host name/],
  ["[::g]/a", /host name/],
  ["[fe80::1%eth0]/a", /host name/],
  ["0123456789abcdef".repeat(4), /image's id/],
  [`a/${"b".repeat(254)}`, /at most 255/],
];

/** The public grammar, written as one expression; it may backtrack, so it is only for short texts. */
const label = "[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?";
const domain = `(?:${label}(?:\\.${label})*|\\[[a-fA-F0-9:]+\\])(?::[0-9]+)?`;
const component = "[a-z0-9]+(?:(?:\\.|_|__|-+)[a-z0-9]+)*";
const grammar = new RegExp(
  `^(?:(?<registry>${domain})/)?(?<repository>${component}(?:/${component})*)` +
    `(?::(?<tag>[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}))?(?:@(?<digest>sha256:[0-9a-f]{64}|sha512:[0-9a-f]{128}))?$`,
);

function judgeByGrammar(image: string): object | null {
  const written = image.split("/")[0] ?? "";
  const named = image.includes("/") && (/[.:[]/.test(written) || written === "localhost");
  // Without a host the same expression is tried behind one, which keeps its optional part from matching.
  const { groups } = grammar.exec(named ? image : `x.y/${image}`) ?? {};
  if (!groups?.registry || image.length > 255 || /^[0-9a-f]{64}$/.test(groups.repository ?? "")) return null;
  const [, address, port] =
    /^(.*?)(?::([0-9]+))?$/.exec((groups.registry ?? "").replace(/^\[|\]/g, "!")) ?? [];
  if (port !== undefined && (String(Number(port)) !== port || Number(port) < 1 || Number(port) > 65_535))
    return null;
  const bracketed = groups.registry?.startsWith("[")
    ? groups.registry.slice(1, groups.registry.indexOf("]"))
    : null;
  if (bracketed !== null && !isIPv6(bracketed)) return null;
  if (address?.split(".").some((part) => part.length > 63)) return null;
  return {
    registry: named ? (groups.registry ?? "").toLowerCase() : null,
    repository: groups.repository,
    tag: groups.tag ?? null,
    digest: groups.digest ?? null,
  };
}

const fragment = fc.constantFrom(
  ..."a b 0 9 A Z . .. _ __ ___ - -- / // : :: @ [ ] ::1 localhost ghcr.io host.com :5000 :0 :99999 latest 127.0.0.1".split(
    " ",
  ),
  sha256,
  `@${sha256}`,
  `@${sha512}`,
  "0".repeat(64),
  " ",
  "é",
);

describe("image reference", () => {
  it("TPL-01 reads the parts of every form of the public grammar", () => {
    for (const [image, registry, repository, tag, digest] of valid) {
      expect(parseImage(image), image).toEqual({ registry, repository, tag, digest });
      expect(judgeByGrammar(image), image).toEqual({ registry, repository, tag, digest });
    }
  });

  it("TPL-02 refuses what no registry takes, with a reason that does not repeat the input", () => {
    for (const [image, reason] of invalid) {
      const parsed = parseImage(image);
      expect("problem" in parsed && parsed.problem, image).toMatch(reason);
      if (image.length > 12 && "problem" in parsed) expect(parsed.problem).not.toContain(image);
      expect(judgeByGrammar(image), image).toBeNull();
    }
  });

  it("TPL-03 agrees with the grammar on 20,000 texts made of its pieces", () => {
    let accepted = 0;
    fc.assert(
      fc.property(fc.array(fragment, { minLength: 1, maxLength: 9 }), (pieces) => {
        const image = pieces.join("");
        const parsed = parseImage(image);
        const expected = judgeByGrammar(image);
        if (expected) accepted += 1;
        expect("problem" in parsed ? null : parsed, image).toEqual(expected);
      }),
      { numRuns: 20_000 },
    );
    expect(accepted).toBeGreaterThan(500);
  });

  it("TPL-03 agrees on valid references put together from valid parts", () => {
    const part = fc.stringMatching(/^[a-z0-9]{1,4}((\.|_|__|-{1,3})[a-z0-9]{1,3}){0,3}$/);
    const host = fc.constantFrom(
      null,
      "ghcr.io",
      "localhost",
      "localhost:1",
      "10.0.0.1:65535",
      "[::1]:80",
      "A.b",
    );
    const tag = fc.option(fc.stringMatching(/^[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}$/), { nil: null });
    const digest = fc.constantFrom(null, sha256);
    const path = fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join("/"));
    fc.assert(
      fc.property(host, path, tag, digest, (registry, repository, tagged, digested) => {
        const image =
          (registry ? `${registry}/` : "") +
          repository +
          (tagged ? `:${tagged}` : "") +
          (digested ? `@${digested}` : "");
        fc.pre(image.length <= 255 && !(registry === null && /^[^/]*\.[^/]*\//.test(repository)));
        fc.pre(registry !== null || !repository.startsWith("localhost/"));
        expect(parseImage(image)).toEqual({
          registry: registry?.toLowerCase() ?? null,
          repository,
          tag: tagged,
          digest: digested,
        });
      }),
      { numRuns: 2000 },
    );
  });

  it("TPL-04 takes linear time on 250 kB of hostile text", () => {
    const hostile = [
      "a",
      "-",
      "_",
      ".",
      "/",
      ":",
      "@",
      "[",
      "a-",
      "a_",
      "a/",
      "a.",
      "A",
      " ",
      "\0",
      "\ud800",
      "a:",
      "::",
    ];
    for (const piece of hostile) {
      const text = piece.repeat(Math.ceil(250_000 / piece.length));
      for (const image of [text, `${text}!`, `ghcr.io/${text}`, `a:${text}`, `a@sha256:${text}`]) {
        expect("problem" in parseImage(image)).toBe(true);
        expect(isImageTag(image)).toBe(false);
        expect(isRegistryHost(image)).toBe(false);
        expect("problem" in imageToPull({ image: "a", imageTag: image, registry: image })).toBe(true);
      }
    }
  });

  it("TPL-05 pulls with the registry always written, by digest alone where there is one", () => {
    const cases: [Parameters<typeof imageToPull>[0], string][] = [
      [{ image: "ubuntu" }, "docker.io/library/ubuntu:latest"],
      [{ image: "ubuntu", imageTag: "", registry: "" }, "docker.io/library/ubuntu:latest"],
      [{ image: "ubuntu", imageTag: null, registry: null }, "docker.io/library/ubuntu:latest"],
      [{ image: "ubuntu:24.04" }, "docker.io/library/ubuntu:24.04"],
      [{ image: "ubuntu:24.04", imageTag: "24.04" }, "docker.io/library/ubuntu:24.04"],
      [{ image: "a/b", imageTag: "1" }, "docker.io/a/b:1"],
      [{ image: "a/b", imageTag: "1", registry: "ghcr.io" }, "ghcr.io/a/b:1"],
      [{ image: "b", registry: "localhost:5000" }, "localhost:5000/b:latest"],
      [{ image: "ghcr.io/a/b", registry: "GHCR.IO" }, "ghcr.io/a/b:latest"],
      [{ image: "docker.io/ubuntu", registry: "index.docker.io" }, "docker.io/library/ubuntu:latest"],
      [{ image: `a/b@${sha256}`, imageTag: "latest" }, `docker.io/a/b@${sha256}`],
      [{ image: `ghcr.io/a/b:1@${sha256}` }, `ghcr.io/a/b@${sha256}`],
    ];
    for (const [template, reference] of cases) expect(imageToPull(template)).toMatchObject({ reference });
  });

  it("TPL-05 stores the tag apart from the image, and reading what was stored gives the same reference", () => {
    expect(imageToPull({ image: "a/b:tag" })).toMatchObject({ image: "a/b", imageTag: "tag" });
    for (const [image] of valid) {
      const first = imageToPull({ image });
      expect("reference" in first && imageToPull(first)).toEqual(first);
    }
  });

  it("TPL-06 names the field where tag or registry contradict the image, or are wrong", () => {
    expect(imageToPull({ image: "a:1", imageTag: "2" })).toMatchObject({
      field: "imageTag",
      problem: expect.stringContaining("another tag"),
    });
    expect(imageToPull({ image: "a", imageTag: "a b" })).toMatchObject({ field: "imageTag" });
    expect(imageToPull({ image: "ghcr.io/a", registry: "quay.io" })).toMatchObject({ field: "registry" });
    expect(imageToPull({ image: "a", registry: "https://quay.io" })).toMatchObject({
      field: "registry",
      problem: expect.stringContaining("Leave out https://"),
    });
    expect(imageToPull({ image: "a", registry: "quay.io/x" })).toMatchObject({ field: "registry" });
    expect(imageToPull({ image: "A" })).toMatchObject({ field: "image" });
    const long = "a".repeat(60);
    expect(
      imageToPull({ image: `${long}/${long}/${long}/${long}`, registry: "registry.example.com" }),
    ).toMatchObject({ field: "image" });
  });

  it("TPL-06 tells tags and registries from what is neither", () => {
    for (const tag of ["latest", "_", "1", "a".repeat(128)]) expect(isImageTag(tag)).toBe(true);
    for (const tag of ["", "-a", ".a", "a".repeat(129), "a b", "a\n", "a:b", "a/b", "é"])
      expect(isImageTag(tag)).toBe(false);
    for (const host of ["ghcr.io", "localhost", "h:1", "10.0.0.1:5000", "[::1]", "[::1]:65535", "nvcr.io"])
      expect(isRegistryHost(host), host).toBe(true);
    for (const host of [
      "",
      ":1",
      "h:",
      "h:0",
      "h:01",
      "h:65536",
      "h/",
      "[::1",
      "[]",
      "[::1]x",
      "[::1]:",
      "a_b",
      "h\n",
      "a..b",
      ".a",
    ])
      expect(isRegistryHost(host), host).toBe(false);
  });
});
