/** The process of one attack: `node attacker.js <port> <address of the attackers> <name of the attack>`. */

import { BLOCK_ATTACKS, CLIENT_ATTACKS, FOLLOWED_ATTACKS } from './attacks.js';

const [port, from = '', name = ''] = process.argv.slice(2);
const attacks = { ...CLIENT_ATTACKS, ...BLOCK_ATTACKS, ...FOLLOWED_ATTACKS };
const target = { port: Number(port), from };
attacks[name]?.(target);
process.once('disconnect', () => process.exit());
