/** Goals of ledgerd: the ratio to a peer that it must reach, by group of work. */

/**
 * Returns the goals of a piece of work. Nothing may become slower or larger than in another build of ledgerd by more
 * than what rounds differ by.
 *
 * @returns {import('../harness/measured.js').Goal[]}
 */
export function goalsFor(group, name) {
  return Object.entries({ base: 0.97, ...peerGoals(group, name) }).map(([peer, times]) => ({ peer, times }));
}

function peerGoals(group, name) {
  if (name === 'start-up') return { anvil: 1 / 1.2 };
  if (group === 'reads') {
    if (name.startsWith('heavy')) return { anvil: 1.5 };
    return { anvil: name.endsWith(' 1') ? 1 : 1.2 };
  }
  if (group === 'writes') return { anvil: 1.5, hardhat: 10 };
  if (name === 'few logs') return { anvil: 50 };
  if (group === 'testing' && name.startsWith('suite')) return { anvil: 3 };
  return {};
}
