import type { Command, Option } from 'commander';
import { invariant } from '../../protocol/index.ts';
import { ValueOption } from '../command.ts';
import { linesOf } from '../text.ts';

/** The value of a flag or argument of a command: one of a list of words, a path, or free text. */
type Value = readonly string[] | 'path' | 'free';

interface Flag {
  readonly flag: string;
  readonly summary: string;
  /** Undefined for a flag without a value. */
  readonly value: Value | undefined;
}

interface CompletedCommand {
  readonly name: string;
  readonly summary: string;
  readonly flags: readonly Flag[];
  /** Undefined for a command without an argument. */
  readonly argument: Value | undefined;
}

interface CompletedProgram {
  readonly name: string;
  readonly commands: readonly CompletedCommand[];
  /** The command that runs if none is named. */
  readonly defaultCommand: CompletedCommand;
  /** Flags of the program itself. */
  readonly flags: readonly Flag[];
}

const SCRIPTS = { bash: bashScript, zsh: zshScript, fish: fishScript };
export type Shell = keyof typeof SCRIPTS;
export const SHELLS = Object.keys(SCRIPTS);

/** Writes the completion script of a shell. @param defaultName the command that runs if none is named */
export function completionScript(shell: Shell, program: Command, defaultName: string): string {
  const commands = program.commands.map(completedCommand);
  const defaultCommand = commands.find(({ name }) => name === defaultName);
  invariant(defaultCommand !== undefined, 'the default command is declared');
  return SCRIPTS[shell]({ name: program.name(), commands, defaultCommand, flags: flagsOf(program) });
}

function completedCommand(command: Command): CompletedCommand {
  const [argument] = command.registeredArguments;
  return {
    name: command.name(),
    summary: sentence(command.description()),
    flags: flagsOf(command),
    argument: argument && (argument.argChoices ?? 'path'),
  };
}

function flagsOf(command: Command): Flag[] {
  const options = command.createHelp().visibleOptions(command);
  return options.map((option) => ({
    flag: option.long ?? option.flags,
    summary: sentence(option.description),
    value: option.required ? completedValue(option) : undefined,
  }));
}

function completedValue(option: Option): Value {
  if (option instanceof ValueOption && option.words.length > 0) return option.words;
  return /<(file|folder)>/.test(option.flags) ? 'path' : 'free';
}

/** Returns the beginning of a description, without its details. */
function sentence(description: string): string {
  return description.replace(/ \(default: .*$/, '').replace(/[.:].*$/, '');
}

function textOf(value: Value, words: (words: string) => string, path: string, free: string): string {
  if (value === 'path') return path;
  return value === 'free' ? free : words(value.join(' '));
}

/** Writes the completion for bash, from version 4 on: `source <(ledgerd completion bash)`. */
function bashScript({ name, commands, defaultCommand, flags }: CompletedProgram): string {
  const flagWords = (list: readonly Flag[]): string[] => list.map(({ flag }) => flag);
  const names = commands.map((command) => command.name);
  const words = [...names, ...flagWords(flags), ...flagWords(defaultCommand.flags)];
  const replyOf = (value: Value): string =>
    textOf(
      value,
      (choices) => `COMPREPLY=($(compgen -W '${choices}' -- "$current")); `,
      'compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen -f -- "$current"); ',
      '',
    );
  const valueCases = commands.flatMap((command) =>
    command.flags.flatMap(({ flag, value }) =>
      value === undefined ? [] : [`    '${command.name} ${flag}') ${replyOf(value)}return ;;`],
    ),
  );
  const flagCases = commands.map(
    (command) =>
      `      ${command.name}) COMPREPLY=($(compgen -W '${flagWords(command.flags).join(' ')}' -- "$current")) ;;`,
  );
  const argumentCases = commands.flatMap(({ name: command, argument }) =>
    argument === undefined ? [] : [`    ${command}) ${replyOf(argument)};;`],
  );
  return `# Completion of ${name} for bash: source <(${name} completion bash)
_${name}() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD - 1]} command=${defaultCommand.name}
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then
    COMPREPLY=($(compgen -W '${[...new Set(words)].join(' ')}' -- "$current"))
    return
  fi
  case \${COMP_WORDS[1]} in
    ${names.join(' | ')}) command=\${COMP_WORDS[1]} ;;
  esac
  case "$command $previous" in
${valueCases.join('\n')}
  esac
  if [[ $current == -* ]]; then
    case $command in
${flagCases.join('\n')}
    esac
    return
  fi
  case $command in
${argumentCases.join('\n')}
  esac
}
complete -F _${name} ${name}
`;
}

/** Writes the completion for zsh, to be sourced after `compinit`, or stored as `_ledgerd` in a folder of `fpath`. */
function zshScript({ name, commands, defaultCommand, flags }: CompletedProgram): string {
  const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
  const actionOf = (value: Value): string => textOf(value, (words) => `(${words})`, '_files', ' ');
  // The program decides about repeated flags.
  const specOf = ({ flag, summary, value }: Flag): string => {
    const text = summary.replace(/[[\]\\]/g, '\\$&');
    return quoted(`*${flag}[${text}]${value === undefined ? '' : `:value:${actionOf(value)}`}`);
  };
  const caseOf = (label: string, { argument }: CompletedCommand, specs: readonly string[]): string => {
    const rest = argument === undefined ? [] : [quoted(`1:argument:${actionOf(argument)}`)];
    return `    ${label}) _arguments -s ${[...specs, ...rest].join(' ')} ;;`;
  };
  const withoutCommand = new Map(
    [...defaultCommand.flags, ...flags].map((flag) => [flag.flag, specOf(flag)]),
  );
  return `#compdef ${name}
# Completion of ${name} for zsh: source <(${name} completion zsh)
_${name}() {
  local -a commands
  commands=(
${commands.map((command) => `    ${quoted(`${command.name}:${command.summary}`)}`).join('\n')}
  )
  if ((CURRENT == 2)) && [[ \${words[2]} != -* ]]; then
    _describe -t commands command commands
    return
  fi
  local command=\${words[2]}
  if ((\${commands[(I)$command:*]})); then
    shift words
    ((CURRENT--))
  else
    command=
  fi
  case $command in
${commands.map((command) => caseOf(command.name, command, command.flags.map(specOf))).join('\n')}
${caseOf("''", defaultCommand, [...withoutCommand.values()])}
  esac
}
if [[ \${funcstack[1]} == _${name} ]]; then
  _${name} "$@"
else
  compdef _${name} ${name}
fi
`;
}

/** Writes the completion for fish: `ledgerd completion fish | source`. */
function fishScript({ name, commands, defaultCommand, flags }: CompletedProgram): string {
  const quoted = (text: string): string => `'${text.replace(/[\\']/g, '\\$&')}'`;
  const takenFlags = (value: Value): string => textOf(value, (words) => `-f -a ${quoted(words)}`, '-F', '-f');
  const flagLine = (condition: string, { flag, summary, value }: Flag): string => {
    const taken = value === undefined ? '' : ` -r ${takenFlags(value)}`;
    return `complete -c ${name} -n ${quoted(condition)} -l ${flag.slice(2)}${taken} -d ${quoted(summary)}`;
  };
  const commandLines = (command: CompletedCommand): string[] => {
    const isSeen = `__fish_seen_subcommand_from ${command.name}`;
    const { argument } = command;
    return [
      `complete -c ${name} -n __fish_use_subcommand -a ${command.name} -d ${quoted(command.summary)}`,
      ...command.flags.map((flag) => flagLine(isSeen, flag)),
      ...(argument === undefined ? [] : [`complete -c ${name} -n ${quoted(isSeen)} ${takenFlags(argument)}`]),
    ];
  };
  const others = commands.filter((command) => command !== defaultCommand).map((command) => command.name);
  const withoutCommand = `not __fish_seen_subcommand_from ${others.join(' ')}`;
  return linesOf([
    `# Completion of ${name} for fish: ${name} completion fish | source`,
    `complete -c ${name} -f`,
    ...flags.map((flag) => flagLine('__fish_use_subcommand', flag)),
    ...commands.flatMap(commandLines),
    ...defaultCommand.flags.map((flag) => flagLine(withoutCommand, flag)),
  ]);
}
