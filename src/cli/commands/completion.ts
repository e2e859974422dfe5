import { Argument, type Command } from 'commander';
import type { Choose } from '../command.ts';
import { completionScript, SHELLS, type Shell } from '../completion/completion.ts';

export function addCompletionCommand(program: Command, choose: Choose): void {
  program
    .command('completion')
    .description('Print the completion script of a shell: source <(ledgerd completion bash)')
    .addArgument(new Argument('<shell>', 'the shell').choices(SHELLS))
    .action((shell: Shell) => {
      const script = completionScript(shell, program, 'start');
      choose('cannot print', ({ print }) => print(script));
    });
}
