import { Command, CommanderError } from "commander";
import { addAccountCommands } from "./account-commands";
import { addBackupCommands } from "./backup-commands";
import { addCatalogueCommands } from "./catalogue-commands";
import { addHostCommands } from "./host-commands";
import { addInstanceCommands } from "./instance-commands";
import { addKeyCommands } from "./key-commands";
import { addLedgerCommands } from "./ledger-commands";
import { addPayoutCommands } from "./payout-commands";
import { addRateCommands } from "./rate-commands";
import { explain, say } from "./run-command";
import { addTemplateCommands } from "./template-commands";

const FAILED = 1;
const MISUSED = 2;

const program = new Command("berth")
  .description(
    "Runs a Berth market from the command line: JSON on standard output, reasons on standard error.",
  )
  .exitOverride()
  .showHelpAfterError("(--help shows what there is)");
// Subcommands made later take their settings from the program.
addAccountCommands(program);
addKeyCommands(program);
addHostCommands(program);
addTemplateCommands(program);
addInstanceCommands(program);
addCatalogueCommands(program);
addLedgerCommands(program);
addPayoutCommands(program);
addRateCommands(program);
addBackupCommands(program);

try {
  await program.parseAsync();
} catch (error) {
  if (error instanceof CommanderError) {
    process.exitCode = error.exitCode === 0 ? 0 : MISUSED; // commander has said why
  } else {
    say(explain(error));
    process.exitCode = FAILED;
  }
}
