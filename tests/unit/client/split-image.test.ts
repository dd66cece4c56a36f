import { expect, it } from "vitest";
import { registryOf, splitImage } from "../../../lib/client/split-image";

const digest = `sha256:${"a".repeat(64)}`;

it.each([
  ["ghcr.io/a/b:tag", "ghcr.io/a/b", "tag"],
  [" docker pull localhost:5000/a/b:1.0\n", "localhost:5000/a/b", "1.0"],
  ["localhost:5000/a", "localhost:5000/a", ""],
  ["ubuntu", "ubuntu", ""],
  [`a/b@${digest}`, `a/b@${digest}`, ""],
  [`a/b:2@${digest}`, `a/b@${digest}`, "2"],
  ["https://ghcr.io/a/b:x", "ghcr.io/a/b", "x"],
])("WEB-31 splits %j where its tag begins", (pasted, image, tag) => {
  expect(splitImage(pasted)).toEqual({ image, tag });
});

it("WEB-31 knows the registry of an image", () => {
  expect(["ghcr.io/a/b", "a/b", "ubuntu", "localhost:5000/a"].map(registryOf)).toEqual([
    "ghcr.io",
    "docker.io",
    "docker.io",
    "localhost:5000",
  ]);
});
