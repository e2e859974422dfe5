import type { CompletedCommand, CompletedProgram, CompletedValue } from './completed-words.ts';

/** Writes the completion for bash, from version 4 on: `source <(ledgerd completion bash)`. */
export function bashScript({ name, commands, defaultCommand, flags }: CompletedProgram): string {
  const words = [
    ...commands.map((command) => command.name),
    ...flagWords(flags),
    ...flagWords(defaultCommand.flags),
  ];
  return `# Completion of ${name} for bash: source <(${name} completion bash)
_${name}() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD - 1]} command=${defaultCommand.name}
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then
    COMPREPLY=($(compgen -W '${[...new Set(words)].join(' ')}' -- "$current"))
    return
  fi
  case \${COMP_WORDS[1]} in
    ${commands.map((command) => command.name).join(' | ')}) command=\${COMP_WORDS[1]} ;;
  esac
  case "$command $previous" in
${commands.flatMap(valueCases).join('\n')}
  esac
  if [[ $current == -* ]]; then
    case $command in
${commands.map(flagCase).join('\n')}
    esac
    return
  fi
  case $command in
${commands.flatMap(argumentCases).join('\n')}
  esac
}
complete -F _${name} ${name}
`;
}

function flagWords(flags: CompletedCommand['flags']): string[] {
  return flags.map(({ flag }) => flag);
}

function flagCase({ name, flags }: CompletedCommand): string {
  return `      ${name}) COMPREPLY=($(compgen -W '${flagWords(flags).join(' ')}' -- "$current")) ;;`;
}

function valueCases({ name, flags }: CompletedCommand): string[] {
  return flags.flatMap(({ flag, value }) =>
    value === undefined ? [] : [`    '${name} ${flag}') ${replyOf(value)}return ;;`],
  );
}

function argumentCases({ name, argument }: CompletedCommand): string[] {
  return argument === undefined ? [] : [`    ${name}) ${replyOf(argument)};;`];
}

function replyOf(value: CompletedValue): string {
  switch (value.kind) {
    case 'words':
      return `COMPREPLY=($(compgen -W '${value.words.join(' ')}' -- "$current")); `;
    case 'path':
      return `compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen -f -- "$current"); `;
    case 'free':
      return '';
  }
}
