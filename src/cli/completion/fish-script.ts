import { linesOf } from '../labelled-lines.ts';
import type { CompletedCommand, CompletedFlag, CompletedProgram, CompletedValue } from './completed-words.ts';

/** Writes the completion for fish: `ledgerd completion fish | source`. */
export function fishScript({ name, commands, defaultCommand, flags }: CompletedProgram): string {
  const others = commands.filter((command) => command !== defaultCommand).map((command) => command.name);
  const lines = [
    `# Completion of ${name} for fish: ${name} completion fish | source`,
    `complete -c ${name} -f`,
    ...flags.map((flag) => flagLine(name, '__fish_use_subcommand', flag)),
    ...commands.flatMap((command) => commandLines(name, command)),
    ...defaultCommand.flags.map((flag) =>
      flagLine(name, `not __fish_seen_subcommand_from ${others.join(' ')}`, flag),
    ),
  ];
  return linesOf(lines);
}

function commandLines(program: string, { name, summary, flags, argument }: CompletedCommand): string[] {
  const isSeen = `__fish_seen_subcommand_from ${name}`;
  return [
    `complete -c ${program} -n __fish_use_subcommand -a ${name} -d ${quoted(summary)}`,
    ...flags.map((flag) => flagLine(program, isSeen, flag)),
    ...(argument === undefined
      ? []
      : [`complete -c ${program} -n ${quoted(isSeen)} ${takenFlags(argument)}`]),
  ];
}

function flagLine(program: string, condition: string, { flag, summary, value }: CompletedFlag): string {
  const taken = value === undefined ? '' : ` -r ${takenFlags(value)}`;
  return `complete -c ${program} -n ${quoted(condition)} -l ${flag.slice(2)}${taken} -d ${quoted(summary)}`;
}

function takenFlags(value: CompletedValue): string {
  switch (value.kind) {
    case 'words':
      return `-f -a ${quoted(value.words.join(' '))}`;
    case 'path':
      return '-F';
    case 'free':
      return '-f';
  }
}

function quoted(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&')}'`;
}
