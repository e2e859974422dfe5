import { DEFAULT_NODE_CONFIGURATION, type ServiceConfiguration } from '../../node/index.ts';
import type { ValueType } from '../values.ts';

/** How a node runs: as the persistent node of a chain, or for a day's tests with a wallet and funded accounts. */
export type Mode = 'node' | 'test';

interface SettingFacts {
  /** What the help says of it, in one line. */
  readonly help: string;
  /** The one mode that it belongs to; absent where it belongs to both. */
  readonly mode?: Mode;
}

/** The parts of a configuration that hold nothing but limits. */
type LimitPart = 'rpc' | 'server';
type Limits<Part extends LimitPart> = ServiceConfiguration[Part];

/** Where a limit stands in a configuration. */
export interface LimitPlace {
  readonly part: LimitPart;
  readonly name: string;
}

/** A setting with one value. */
export interface ValueSetting<T> extends SettingFacts {
  readonly kind: 'value';
  /** What the value is called in the help, such as `number`. */
  readonly argument: string;
  readonly type: ValueType<T>;
  /** What holds where nobody says anything. */
  readonly default: T;
  /** The same in test mode, where it differs. */
  readonly testDefault?: T;
  /** The limit that it moves; absent where it is something else. */
  readonly limit?: LimitPlace;
  /** How the documents put the default, where its plain text would not do. */
  readonly defaultText?: string;
  /** Whether it is a path, which counts from the folder of the file that gives it. */
  readonly isPath?: boolean;
  /** Whether `ledgerd config` and error messages keep it to themselves. */
  readonly isSecret?: boolean;
}

/** A setting with any number of values. */
export interface ListSetting<T> extends SettingFacts {
  readonly kind: 'list';
  readonly argument: string;
  readonly type: ValueType<T>;
  /** What it holds in test mode where nobody says anything; elsewhere nothing. */
  readonly testDefault?: readonly T[];
  /** Whether they are paths, which count from the folder of the file that gives them. */
  readonly isPath?: boolean;
}

/** A setting that is on or, where nobody says anything, off. */
export interface SwitchSetting extends SettingFacts {
  readonly kind: 'switch';
}

/** One entry of the table of settings. */
export type Setting = ValueSetting<unknown> | ListSetting<unknown> | SwitchSetting;

/** Declares a setting with one value. */
export function value<T>(setting: Omit<ValueSetting<T>, 'kind'>): ValueSetting<T> {
  return { kind: 'value', ...setting };
}

/** Declares a setting that is a limit: its value, as the type gives it, goes where the configuration has the limit. */
export function limit<Part extends LimitPart, Name extends string & keyof Limits<Part>>(
  part: Part,
  name: Name,
  setting: Omit<ValueSetting<Limits<Part>[Name]>, 'kind' | 'default' | 'limit'>,
): ValueSetting<Limits<Part>[Name]> {
  const defaults: Limits<Part> = DEFAULT_NODE_CONFIGURATION[part];
  return value({ ...setting, limit: { part, name }, default: defaults[name] });
}

/** Declares a setting with any number of values. */
export function list<T>(setting: Omit<ListSetting<T>, 'kind'>): ListSetting<T> {
  return { kind: 'list', ...setting };
}

/** Declares a setting that is on or off. */
export function toggle(setting: Omit<SwitchSetting, 'kind'>): SwitchSetting {
  return { kind: 'switch', ...setting };
}

/** A value as a file of settings would give it. */
export function shownValue<T>({ type }: ValueSetting<T>, value: T): unknown {
  return type.show === undefined ? value : type.show(value);
}
