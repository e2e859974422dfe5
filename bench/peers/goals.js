/** Goals of ledgerd: the ratio to a peer that it must reach, by group of work. */

const READ = { anvil: 1.2 };
/** Nothing may become slower or larger than in another build of ledgerd by more than what rounds differ by. */
const BASE = { base: 0.97 };

/** The goals for a piece of work, by the names of peers; without a goal nothing. */
export function goalsFor(work) {
  return { ...BASE, ...peerGoals(work) };
}

function peerGoals({ group, name }) {
  if (name === 'start-up') return { anvil: 1 / 1.2 };
  if (group === 'reads') {
    if (name.startsWith('heavy')) return { anvil: 1.5 };
    return name.endsWith(' 1') ? { anvil: 1 } : READ;
  }
  if (group === 'writes') return { anvil: 1.5, hardhat: 10 };
  if (name === 'few logs') return { anvil: 50 };
  if (group === 'testing' && name.startsWith('suite')) return { anvil: 3 };
  if (group === 'suite') return { anvil: 1, hardhat: 1, ganache: 1 };
  return {};
}
