import type { Command, Option } from 'commander';
import { invariant } from '../../protocol/index.ts';
import { ValueOption } from '../command.ts';

/** What may stand behind a flag, or as the argument of a command. */
export type CompletedValue =
  | { readonly kind: 'words'; readonly words: readonly string[] }
  | { readonly kind: 'path' }
  /** A value that nobody can guess. */
  | { readonly kind: 'free' };

/** A flag that a shell completes. */
export interface CompletedFlag {
  readonly flag: string;
  readonly summary: string;
  /** Undefined for a flag without a value. */
  readonly value: CompletedValue | undefined;
}

/** A command that a shell completes. */
export interface CompletedCommand {
  readonly name: string;
  readonly summary: string;
  readonly flags: readonly CompletedFlag[];
  /** What its argument may be; undefined for a command without. */
  readonly argument: CompletedValue | undefined;
}

/** What a shell completes: the commands, as the program declares them. */
export interface CompletedProgram {
  readonly name: string;
  readonly commands: readonly CompletedCommand[];
  /** The command whose flags may stand without it. */
  readonly defaultCommand: CompletedCommand;
  /** Flags of the program itself, which stand first. */
  readonly flags: readonly CompletedFlag[];
}

/**
 * Collects what a shell completes.
 * @param defaultName name of the command that runs where none is named
 */
export function completedProgram(program: Command, defaultName: string): CompletedProgram {
  const commands = program.commands.map(completedCommand);
  const defaultCommand = commands.find(({ name }) => name === defaultName);
  invariant(defaultCommand !== undefined, 'the default command is declared');
  return { name: program.name(), commands, defaultCommand, flags: flagsOf(program) };
}

function completedCommand(command: Command): CompletedCommand {
  const [argument] = command.registeredArguments;
  const words = argument?.argChoices;
  return {
    name: command.name(),
    summary: sentence(command.description()),
    flags: flagsOf(command),
    argument: argument && (words === undefined ? { kind: 'path' } : { kind: 'words', words }),
  };
}

function flagsOf(command: Command): CompletedFlag[] {
  const options = command.createHelp().visibleOptions(command);
  return options.map((option) => ({
    flag: option.long ?? option.flags,
    summary: sentence(option.description),
    value: option.required ? completedValue(option) : undefined,
  }));
}

function completedValue(option: Option): CompletedValue {
  if (option instanceof ValueOption && option.words.length > 0) return { kind: 'words', words: option.words };
  return /<(file|folder)>/.test(option.flags) ? { kind: 'path' } : { kind: 'free' };
}

/** A description up to where its details begin. */
function sentence(description: string): string {
  return description.replace(/ \(default: .*$/, '').replace(/[.:].*$/, '');
}
