import type { Command } from "commander";
import { example } from "./example";
import { onMarket } from "./run-command";

export function addTemplateCommands(program: Command): void {
  const template = program.command("template").description("templates that others see");
  template
    .command("publish")
    .description("let everyone see a template, while its owner does not make it private")
    .argument("<template_id>")
    .addHelpText("after", example("template publish tmpl_3sXk0aB1c2D3e4F5g6H7"))
    .action(
      onMarket(async (templateId: string) => {
        const { publishTemplate } = await import("../lib/templates/publish-template");
        await publishTemplate(templateId);
        return { template_id: templateId, published: true };
      }),
    );
  template
    .command("unpublish")
    .description("leave a template to its owner alone")
    .argument("<template_id>")
    .addHelpText("after", example("template unpublish tmpl_3sXk0aB1c2D3e4F5g6H7"))
    .action(
      onMarket(async (templateId: string) => {
        const { unpublishTemplate } = await import("../lib/templates/publish-template");
        await unpublishTemplate(templateId);
        return { template_id: templateId, published: false };
      }),
    );
}
