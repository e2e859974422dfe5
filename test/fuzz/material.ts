import type { JsonText } from './json-text.ts';
import type { LiveValues } from './live-values.ts';
import type { Random } from './random.ts';
import type { World } from './world.ts';

/** The material for the parameters of a request. */
export interface Material {
  readonly random: Random;
  readonly world: World;
  readonly live: LiveValues;
}

export type Maker = (material: Material) => readonly JsonText[];
