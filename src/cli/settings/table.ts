import { MODE_SETTINGS, NODE_SETTINGS, TEST_SETTINGS } from './chain-settings.ts';
import { LISTENING_SETTINGS, NODE_LOG_SETTINGS, SERVICE_SETTINGS } from './service-settings.ts';
import { type ListSetting, type Mode, type Setting, shownValue, type ValueSetting } from './setting.ts';

/** A group of settings: its heading in the help, and the one mode to which it belongs; undefined for both modes. */
const GROUPS: readonly [heading: string, mode: Mode | undefined, Readonly<Record<string, Setting>>][] = [
  ['Node:', undefined, MODE_SETTINGS],
  ['Listening:', undefined, LISTENING_SETTINGS],
  ['Node mode (with --data-dir):', 'node', NODE_SETTINGS],
  ['Test mode (without --data-dir, or with --test):', 'test', TEST_SETTINGS],
  ['Service and limits:', undefined, SERVICE_SETTINGS],
  ['Log:', undefined, NODE_LOG_SETTINGS],
];

type Settings = typeof MODE_SETTINGS &
  typeof LISTENING_SETTINGS &
  typeof NODE_SETTINGS &
  typeof TEST_SETTINGS &
  typeof SERVICE_SETTINGS &
  typeof NODE_LOG_SETTINGS;

/**
 * The name of a setting, from which its flag, its environment variable and its key in a file follow: `block-interval`
 * is `--block-interval`, `LEDGERD_BLOCK_INTERVAL` and `"block-interval"`.
 */
export type SettingName = keyof Settings;

export type SettingValues = { readonly [Name in SettingName]: MeaningOf<Settings[Name]> };

type MeaningOf<Of> =
  Of extends ValueSetting<infer T> ? T : Of extends ListSetting<infer T> ? readonly T[] : boolean;

export interface TableEntry {
  readonly name: SettingName;
  readonly setting: Setting;
  readonly heading: string;
  /** The one mode to which it belongs; undefined for both. */
  readonly mode: Mode | undefined;
}

/** All settings, in the order of the help. */
export const TABLE: readonly TableEntry[] = GROUPS.flatMap(([heading, mode, settings]) =>
  // The names are those of the groups.
  Object.entries(settings).map(([name, setting]) => ({ name: name as SettingName, setting, heading, mode })),
);

export function entryNamed(name: string): TableEntry | undefined {
  return TABLE.find((entry) => entry.name === name);
}

export function flagOf(name: SettingName): string {
  return `--${name}`;
}

export function variableOf(name: SettingName): string {
  return `LEDGERD_${name.toUpperCase().replaceAll('-', '_')}`;
}

export function defaultOf(setting: Setting, mode: Mode): unknown {
  if (setting.kind === 'switch') return false;
  const usual = setting.kind === 'list' ? [] : setting.default;
  return mode === 'test' ? (setting.testDefault ?? usual) : usual;
}

/** Returns the default in words, for the help and the documents. */
export function defaultText(setting: Setting): string {
  if (setting.kind === 'switch') return 'off';
  const text = setting.kind === 'list' ? 'none' : (setting.defaultText ?? valueText(setting));
  return setting.testDefault === undefined ? text : `${text}; test mode: ${setting.testDefault}`;
}

function valueText({ type, default: value }: ValueSetting<unknown>): string {
  return type.text?.(value) ?? String(shownValue({ type }, value));
}
