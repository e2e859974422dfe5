import { Argument, type Command } from 'commander';
import type { Choose } from '../command.ts';
import { bashScript } from '../completion/bash-script.ts';
import { completedProgram } from '../completion/completed-words.ts';
import { fishScript } from '../completion/fish-script.ts';
import { zshScript } from '../completion/zsh-script.ts';

const SHELLS = { bash: bashScript, zsh: zshScript, fish: fishScript };

/** Declares `ledgerd completion`. */
export function addCompletionCommand(program: Command, choose: Choose): void {
  program
    .command('completion')
    .description('Print what makes a shell complete commands and options: source <(ledgerd completion bash)')
    .addArgument(new Argument('<shell>', 'the shell').choices(Object.keys(SHELLS)))
    .action((shell: keyof typeof SHELLS) => {
      const script = SHELLS[shell](completedProgram(program, 'start'));
      choose({ failure: 'cannot print', run: ({ print }) => print(script) });
    });
}
