/** The process of one attack: `node attacker.js <port> <name of the attack>`. */

import { ATTACKS } from './attacks.js';

const [port, name] = process.argv.slice(2);
ATTACKS[name](Number(port));
process.once('disconnect', () => process.exit());
