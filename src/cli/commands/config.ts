import type { Command } from 'commander';
import type { Choose } from '../command.ts';
import type { Environment } from '../environment.ts';
import { addSettingOptions, type SettingFlags } from '../settings/flags.ts';
import { type EffectiveSetting, resolveSettings } from '../settings/resolve.ts';
import { shownValue } from '../settings/setting.ts';

const MASK = '***';

export function addConfigCommand(program: Command, choose: Choose): void {
  const config = program
    .command('config')
    .description('Check and print the settings of start from flags, environment and file.');
  const flags = addSettingOptions(config);
  config.action(() => {
    choose('cannot read the settings', (environment) => printSettings(flags(), environment));
  });
}

function printSettings(flags: SettingFlags, environment: Environment): void {
  const { mode, file, effective } = resolveSettings(flags, environment);
  const settings = Object.fromEntries(
    effective.map((one) => [one.name, { value: shown(one), source: one.source }]),
  );
  environment.print(`${JSON.stringify({ mode, file: file ?? null, settings }, undefined, 2)}\n`);
}

/** Returns the JSON value of a setting; masks a secret. */
function shown({ setting, value }: EffectiveSetting): unknown {
  if (setting.kind === 'value' && setting.isSecret === true) return MASK;
  if (value === undefined) return null;
  if (setting.kind === 'list' && Array.isArray(value)) return value.map((one) => shownValue(setting, one));
  return setting.kind === 'value' ? shownValue(setting, value) : value;
}
