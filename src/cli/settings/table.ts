import { MODE_SETTINGS, NODE_SETTINGS, TEST_SETTINGS } from './chain-settings.ts';
import { NODE_LOG_SETTINGS } from './node-log-settings.ts';
import { LISTENING_SETTINGS, SERVICE_SETTINGS } from './service-settings.ts';
import { type ListSetting, type Mode, type Setting, shownValue, type ValueSetting } from './setting.ts';

/** The settings under the headings of the help, in its order. */
const GROUPS = {
  'Node:': MODE_SETTINGS,
  'Listening:': LISTENING_SETTINGS,
  'Node mode (with --data-dir):': NODE_SETTINGS,
  'Test mode (without --data-dir, or with --test):': TEST_SETTINGS,
  'Service and limits:': SERVICE_SETTINGS,
  'Log:': NODE_LOG_SETTINGS,
} as const;

/**
 * Every setting of a node, by the name that its flag, its environment variable and its key in a file are made
 * of: `block-interval` is `--block-interval`, `LEDGERD_BLOCK_INTERVAL` and `"block-interval"`.
 */
const SETTINGS = {
  ...MODE_SETTINGS,
  ...LISTENING_SETTINGS,
  ...NODE_SETTINGS,
  ...TEST_SETTINGS,
  ...SERVICE_SETTINGS,
  ...NODE_LOG_SETTINGS,
} as const;

/** A setting by its name in the configuration file, which its flag has as well. */
export type SettingName = keyof typeof SETTINGS;

/** What every setting is set to. */
export type SettingValues = { readonly [Name in SettingName]: MeaningOf<(typeof SETTINGS)[Name]> };

type MeaningOf<Of> =
  Of extends ValueSetting<infer T> ? T : Of extends ListSetting<infer T> ? readonly T[] : boolean;

/** A setting of the table. */
interface TableEntry {
  readonly name: SettingName;
  readonly setting: Setting;
  /** What it stands under in the help. */
  readonly heading: string;
}

/** Every setting, in the order of the help. */
export const TABLE: readonly TableEntry[] = Object.entries(GROUPS).flatMap(([heading, settings]) =>
  // The names are those of the table.
  Object.entries(settings).map(([name, setting]) => ({ name: name as SettingName, setting, heading })),
);

/** @returns undefined where no setting has the name */
export function settingNamed(name: string): SettingName | undefined {
  return TABLE.find((entry) => entry.name === name)?.name;
}

/** The setting that a name stands for. */
export function settingOf(name: SettingName): Setting {
  return SETTINGS[name];
}

/** The flag of a setting. */
export function flagOf(name: SettingName): string {
  return `--${name}`;
}

/** The environment variable of a setting. */
export function variableOf(name: SettingName): string {
  return `LEDGERD_${name.toUpperCase().replaceAll('-', '_')}`;
}

/** What a setting is where nobody says anything. */
export function defaultOf(setting: Setting, mode: Mode): unknown {
  if (setting.kind === 'switch') return false;
  const usual = setting.kind === 'list' ? [] : setting.default;
  return mode === 'test' ? (setting.testDefault ?? usual) : usual;
}

/** The same in words, for the help and the documents. */
export function defaultText(setting: Setting): string {
  if (setting.kind === 'switch') return 'off';
  const text =
    setting.kind === 'list' ? 'none' : (setting.defaultText ?? String(shownValue(setting, setting.default)));
  return setting.testDefault === undefined ? text : `${text}; test mode: ${setting.testDefault}`;
}
