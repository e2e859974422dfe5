import type { TestNodeConfiguration } from '../../node/index.ts';
import { UsageError } from '../errors.ts';
import { configurationOf } from './configuration.ts';
import { NODE_LOG_SETTINGS } from './node-log-settings.ts';
import { resolveSettings } from './resolve.ts';
import type { Statement } from './statement.ts';
import { type SettingName, settingNamed, settingOf } from './table.ts';

/** Options of a program: `blockTime` for `--block-time`; in `settings` by the names of their flags. */
interface Options {
  readonly settings?: object | undefined;
}

/**
 * What a node in test mode is started with, out of the options of a program. The environment says nothing here, and an
 * option that is undefined neither.
 *
 * @throws UsageError that names the option and what is wrong with it
 */
export function testConfigurationOf({ settings = {}, ...options }: Options): TestNodeConfiguration {
  const named = Object.entries(options).map(([option, said]) => statement(option, flagName(option), said));
  const further = Object.entries(settings).map(([name, said]) =>
    statement(`settings["${name}"]`, name, said),
  );
  const statements = [said('test', true), said('port', 0), ...named.flat(), ...further.flat()];
  const configuration = configurationOf(
    resolveSettings({ config: undefined, statements }, { variables: {} }),
  );
  if (configuration.mode === 'test') return configuration;
  throw new UsageError('only test mode is started so');
}

function statement(option: string, name: string, value: unknown): Statement[] {
  if (value === undefined) return [];
  const known = settingNamed(name);
  const isOfTests = known !== undefined && settingOf(known).mode !== 'node' && !(known in NODE_LOG_SETTINGS);
  if (!isOfTests || known === 'test') throw new UsageError(`${option}: there is no such option`);
  return [said(known, typeof value === 'bigint' ? String(value) : value, option)];
}

function said(name: SettingName, value: unknown, label: string = name): Statement {
  return { name, source: 'option', label, said: value };
}

/** `block-time` for `blockTime`. */
function flagName(option: string): string {
  return option.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
