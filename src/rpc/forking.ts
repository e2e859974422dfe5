/** Why a method that would have this node take another chain's state is refused. */
export const NO_FORKS = 'ledgerd does not fork';
