import { afterAll, beforeAll, expect, it } from "vitest";
import { describeWithEngine, startTestEngine, TEST_IMAGE, type TestEngine } from "../support/engine";

describeWithEngine("the engine of the tests", () => {
  let engine: TestEngine;
  beforeAll(async () => {
    engine = await startTestEngine();
  });
  afterAll(() => engine.remove());

  it("AGT-01 runs a container", async () => {
    expect(await engine.podman("run", "--rm", TEST_IMAGE, "echo", "hi")).toBe("hi\n");
  });
});
