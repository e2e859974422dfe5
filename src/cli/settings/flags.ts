import { type Command, Option } from 'commander';
import { ValueOption } from '../command.ts';
import { PEER_ALIASES } from '../peer-aliases.ts';
import { PEER_NAMES } from '../peers/translate.ts';
import { argumentOf, type Setting } from './setting.ts';
import type { Statement } from './sources.ts';
import { defaultText, flagOf, type SettingName, TABLE } from './table.ts';

/** The settings of a parsed command line. */
export interface SettingFlags {
  readonly statements: Iterable<Statement>;
  /** The file of settings that `--config` names. */
  readonly config: string | undefined;
}

/**
 * Declares `--config` and a flag for every setting; returns their collected values.
 * @param only names of the settings of a command that has not all of them; their flags have no headings then
 */
export function addSettingOptions(command: Command, only?: readonly SettingName[]): () => SettingFlags {
  const statements = new Map<SettingName, Statement>();
  let config: string | undefined;
  const addOption = (option: Option, heading: string | undefined, onGiven: (text: string) => void) => {
    command.addOption(heading === undefined || only !== undefined ? option : option.helpGroup(heading));
    command.on(`option:${option.name()}`, onGiven);
  };
  const help = 'file of settings (default: ledgerd.json in the data folder, if it exists)';
  addOption(new Option('--config <file>', help), TABLE[0]?.heading, (text) => {
    config = text;
  });
  for (const { name, setting, heading } of TABLE) {
    if (only?.includes(name) === false) continue;
    addOption(optionOf(name, setting), heading, (text) => {
      const raw = combined(setting, text, statements.get(name)?.raw);
      statements.set(name, { name, source: 'flag', label: flagOf(name), raw });
    });
  }
  const collected = () => ({ statements: statements.values(), config });
  if (only !== undefined) return collected;
  const as = `take the flags and the defaults of another test node: ${PEER_NAMES.join(', ')}`;
  // Translated before the command line is parsed.
  command.addOption(new ValueOption('--as <node>', as, { words: PEER_NAMES }));
  for (const { flags, label, name, help, raw } of PEER_ALIASES) {
    command.addOption(new Option(flags, `${help} (the same as ${flagOf(name)})`).hideHelp());
    command.on(`option:${label.slice(2)}`, (text: string) => {
      const given = raw(text);
      if (given === undefined) statements.delete(name);
      else statements.set(name, { name, source: 'flag', label, raw: given });
    });
  }
  return collected;
}

function optionOf(name: SettingName, setting: Setting): Option {
  if (setting.kind === 'switch') return new Option(flagOf(name), setting.help);
  const help = `${setting.help} (default: ${defaultText(setting)})`;
  return new ValueOption(`${flagOf(name)} <${argumentOf(setting)}>`, help, setting.type);
}

/** Combines the values of a repeated flag: all of them for a list, the last one for a value. */
function combined({ kind }: Setting, text: string, before: unknown): unknown {
  if (kind === 'switch') return true;
  if (kind === 'value') return text;
  return [...(Array.isArray(before) ? before : []), text];
}
