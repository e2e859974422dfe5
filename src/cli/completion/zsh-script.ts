import type { CompletedCommand, CompletedFlag, CompletedProgram, CompletedValue } from './completed-words.ts';

/** Writes the completion for zsh, to be sourced after `compinit`, or kept as `_ledgerd` in a folder of `fpath`. */
export function zshScript({ name, commands, defaultCommand, flags }: CompletedProgram): string {
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
${commands.map((command) => caseOf(command.name, command)).join('\n')}
${caseOf("''", { ...defaultCommand, flags: uniqueFlags([...defaultCommand.flags, ...flags]) })}
  esac
}
if [[ \${funcstack[1]} == _${name} ]]; then
  _${name} "$@"
else
  compdef _${name} ${name}
fi
`;
}

function uniqueFlags(flags: readonly CompletedFlag[]): CompletedFlag[] {
  return [...new Map(flags.map((flag) => [flag.flag, flag])).values()];
}

function caseOf(label: string, { flags, argument }: CompletedCommand): string {
  const rest = argument === undefined ? [] : [quoted(`1:argument:${actionOf(argument)}`)];
  return `    ${label}) _arguments -s ${[...flags.map(specOf), ...rest].join(' ')} ;;`;
}

/** A flag may be repeated: what that means is the program's to say. */
function specOf({ flag, summary, value }: CompletedFlag): string {
  const text = summary.replace(/[[\]\\]/g, '\\$&');
  return quoted(`*${flag}[${text}]${value === undefined ? '' : `:value:${actionOf(value)}`}`);
}

function actionOf(value: CompletedValue): string {
  switch (value.kind) {
    case 'words':
      return `(${value.words.join(' ')})`;
    case 'path':
      return '_files';
    case 'free':
      return ' ';
  }
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
