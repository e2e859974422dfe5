import { DEFAULT_NODE_CONFIGURATION, type ServiceConfiguration } from '../../node/index.ts';
import type { ValueType } from '../values.ts';

/** Mode of a node: the persistent node of a chain, or one for tests with a wallet and funded accounts. */
export type Mode = 'node' | 'test';

/** The parts of a configuration that hold only limits. */
type LimitPart = 'rpc' | 'server';
type Limits<Part extends LimitPart> = ServiceConfiguration[Part];

export interface LimitPath {
  readonly part: LimitPart;
  readonly name: string;
}

export interface ValueSetting<T> {
  readonly kind: 'value';
  /** Description in the help, in one line. */
  readonly help: string;
  /** Name of the value in the help; absent: that of its type. */
  readonly argument?: string;
  readonly type: ValueType<T>;
  readonly default: T;
  /** The default of test mode, if it differs. */
  readonly testDefault?: T;
  /** The limit that the setting changes; absent for others. */
  readonly limit?: LimitPath;
  /** The default in words; absent: as text. */
  readonly defaultText?: string;
  /** True if `ledgerd config` and error messages hide it. */
  readonly isSecret?: boolean;
}

/** A setting with any number of values; none by default. */
export interface ListSetting<T> extends Pick<ValueSetting<T>, 'help' | 'type'> {
  readonly kind: 'list';
  readonly testDefault?: readonly T[];
}

/** A setting that is on or, by default, off. */
export interface SwitchSetting {
  readonly kind: 'switch';
  readonly help: string;
}

export type Setting = ValueSetting<unknown> | ListSetting<unknown> | SwitchSetting;

/** The optional properties of the declaration of a setting. */
type Details<T, Names extends keyof ValueSetting<T>> = Partial<Pick<ValueSetting<T>, Names>>;

export function value<T>(
  help: string,
  type: ValueType<T>,
  defaultValue: T,
  details: Details<T, 'argument' | 'testDefault' | 'defaultText' | 'isSecret' | 'limit'> = {},
): ValueSetting<T> {
  return { kind: 'value', help, type, default: defaultValue, ...details };
}

export function optional<T>(
  help: string,
  type: ValueType<T>,
  defaultText: string,
  details: Details<T, 'argument'> = {},
): ValueSetting<T | undefined> {
  return { kind: 'value', help, type, default: undefined, defaultText, ...details };
}

/** Declares a setting that is a limit of the configuration. */
export function limit<Part extends LimitPart, Name extends string & keyof Limits<Part>>(
  part: Part,
  name: Name,
  help: string,
  type: ValueType<Limits<Part>[Name]>,
  details: Details<Limits<Part>[Name], 'argument' | 'defaultText'> = {},
): ValueSetting<Limits<Part>[Name]> {
  const defaults: Limits<Part> = DEFAULT_NODE_CONFIGURATION[part];
  return value(help, type, defaults[name], { ...details, limit: { part, name } });
}

export function list<T>(
  help: string,
  type: ValueType<T>,
  details: Pick<ListSetting<T>, 'testDefault'> = {},
): ListSetting<T> {
  return { kind: 'list', help, type, ...details };
}

export function toggle(help: string): SwitchSetting {
  return { kind: 'switch', help };
}

/** Returns the name of the value in the help. */
export function argumentOf({ argument, type }: Pick<ValueSetting<unknown>, 'argument' | 'type'>): string {
  return argument ?? type.argument ?? 'value';
}

/** Returns a value in the form of a file of settings. */
export function shownValue<T>({ type }: Pick<ValueSetting<T>, 'type'>, value: T): unknown {
  return type.show === undefined ? value : type.show(value);
}
