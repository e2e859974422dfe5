/** The first thing that the host calls. */

import { layOutCode } from './code';
import { setRules } from './hardfork';
import { ARENA, EMPTY_CODE, EXCHANGE } from './layout';
import { ensureReach } from './memory';
import { writeOpcodeRules } from './opcode-rules';

/**
 * Reserves the tables and chooses the rules: the fork's number, how many precompiled contracts it has, and
 * how many bytes the arena may take. Returns where the arena begins, which tells the host whether both were
 * built from the same map of memory; 0 when static data reaches into the tables.
 */
export function initialise(fork: i32, precompiles: u32, memoryBytes: u32): usize {
  ensureReach(ARENA);
  layOutCode(EMPTY_CODE, 0);
  setRules(fork, precompiles, memoryBytes);
  writeOpcodeRules(fork);
  return __heap_base <= EXCHANGE ? ARENA : 0;
}
